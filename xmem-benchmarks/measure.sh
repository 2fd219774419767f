#!/usr/bin/env bash
# Measures xmem and its peers and writes the results into docs/BENCHMARKS.md.
#
#   xmem-benchmarks/measure.sh RESULTS STORES [SIZES [JMH OPTIONS]]
#
# RESULTS   the folder for the JSON results; a step overwrites its own results and keeps those of other steps
# STORES    the folder for the prepared stores, created once: about 5 GB for a million entries
# SIZES     default 10000,100000,1000000; the goals apply to the last one
#
# The environment variable STEPS=search,ranked,append,group,compact,open,figures selects the steps. The script needs
# xmem-benchmarks/target/benchmarks.jar and ripgrep. A jar built with -Ppeers adds Lucene, RocksDB and H2.
set -euo pipefail
cd "$(dirname "$0")/.."

results=$1 stores=$2 sizes=${3:-10000,100000,1000000}
options=("${@:4}")
steps=${STEPS:-search,ranked,append,group,compact,open,figures}
jar=xmem-benchmarks/target/benchmarks.jar
mkdir -p "$results" "$stores"

peers=""
if grep -aq dev/xmem/benchmarks/LuceneEngine "$jar"; then peers=yes; fi
engines=xmem,xmem-data,sqlite
if command -v rg > /dev/null; then engines=$engines,ripgrep; else echo "rg is not on the PATH: ripgrep is skipped" >&2; fi
largest=${sizes##*,}
smallest=${sizes%%,*}

run() { # result name, step, benchmark, options
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
# Without -si false, JMH counts a thread that still waits at the end of an iteration as a fast one. With a large store,
# the first syncs wait for the disk to write the copy of the store, in each engine that has its own.
run 2-group group AppendGroupBenchmark -si false -p entries="$smallest"
run 3-search search '\.SearchBenchmark' -p engine="$engines" -p entries="$sizes"
if [ "$engines" != xmem,xmem-data,sqlite ]; then
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
