#!/usr/bin/env bash
# Measures what docs/BENCHMARKS.md shows beside peers, and writes it there.
#
#   xmem-benchmarks/measure.sh RESULTS STORES [SIZES [JMH OPTIONS]]
#
# RESULTS   a folder for the results as JSON; what is there from an earlier run is kept unless it is measured anew
# STORES    a folder for the filled stores, made once: about 5 GB for a million entries
# SIZES     10000,100000,1000000 unless given; the last one is the one of the goals
#
# `STEPS=search,ranked,append,group,compact,open,figures` in the environment chooses what is done. Needs
# xmem-benchmarks/target/benchmarks.jar, with Lucene, RocksDB and H2 if it was built with -Ppeers, and ripgrep.
set -euo pipefail
cd "$(dirname "$0")/.."

results=$1 stores=$2 sizes=${3:-10000,100000,1000000}
options=("${@:4}")
steps=${STEPS:-search,ranked,append,group,compact,open,figures}
jar=xmem-benchmarks/target/benchmarks.jar
mkdir -p "$results" "$stores"

peers=""
if grep -aq dev/xmem/benchmarks/LuceneEngine "$jar"; then peers=yes; fi
engines=xmem,sqlite
if command -v rg > /dev/null; then engines=$engines,ripgrep; else echo "no rg on the PATH: without ripgrep" >&2; fi
largest=${sizes##*,}
smallest=${sizes%%,*}

run() { # a name for the results, a step, a benchmark, options
  local name=$1 step=$2 benchmark=$3
  shift 3
  case ",$steps," in *",$step,"*) ;; *) return 0 ;; esac
  echo "$(date +%T) $name"
  java -jar "$jar" "$benchmark" -p folder="$stores" "$@" "${options[@]}" -rf json -rff "$results/$name.json" \
    > "$results/$name.log" 2>&1 || { tail -5 "$results/$name.log"; exit 1; }
  grep -B1 -A3 '<failure>' "$results/$name.log" || true
}

files=$engines${peers:+,lucene,rocksdb,mvstore}
echo "$(date +%T) stores"
java -cp "$jar" dev.xmem.benchmarks.DatasetCache "$stores" "$sizes" "$files"

exact=LITERAL_COMMON,LITERAL_ABSENT,LITERAL_NEAR_MISS,LITERAL_FAR,PHRASE_ABSENT
run 1-append append '\.AppendBenchmark' -p engine=xmem,floor,sqlite -p entries="$smallest,$largest"
run 1b-append-hashing append '\.AppendBenchmark' -p engine=xmem-hashing -p entries="$largest"
# Without -si false a thread that waits for its turn beyond the end of an iteration counts as a fast one.
run 2-group group AppendGroupBenchmark -si false -p entries="$largest"
run 3-search search '\.SearchBenchmark' -p engine="$engines" -p entries="$sizes"
if [ "$engines" != xmem,sqlite ]; then
  run 3-search-start search SearchStartBenchmark
fi
if [ -n "$peers" ]; then
  run 4-search-lucene search '\.SearchBenchmark' -p engine=lucene -p entries="$sizes" -p query="PAGE_FIRST,PAGE_AGAIN,$exact"
  run 4-search-maps search '\.SearchBenchmark' -p engine=rocksdb,mvstore -p entries="$sizes" -p query=PAGE_FIRST,PAGE_AGAIN
fi
run 5-ranked ranked SearchRankedBenchmark -p engine="xmem,sqlite${peers:+,lucene}" -p entries="$sizes"
run 6-compact compact CompactBenchmark -p entries="$smallest,100000"
case ",$steps," in *,open,*)
  echo "$(date +%T) 7-open"
  java -cp "$jar" dev.xmem.benchmarks.OpenTime "$results/7-open.json" "${OPENINGS:-15}" "$stores" "$sizes" \
    "xmem,sqlite${peers:+,rocksdb,mvstore}" ;;
esac
case ",$steps," in *,figures,*)
  java -cp "$jar" dev.xmem.benchmarks.figures.Figures "$results" docs "$stores" ;;
esac
