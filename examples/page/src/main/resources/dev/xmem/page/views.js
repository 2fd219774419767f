// One function for each view: it asks the server and returns what to show.
import { ago, bars, bytes, command, folded, get, h, number, percent, perform, plural, repeatLine, shortList, stored, virtualList } from './ui.js';

const link = (view, parameters = {}) => {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));
  return `#/${view}${query.size ? '?' + query : ''}`;
};
const head = (title, lede, ...right) => h('div', { class: 'head' },
  h('div', {}, h('h1', {}, title), lede && h('p', { class: 'lede' }, lede)), right);
const tag = (text, mood = '') => h('span', { class: 'tag ' + mood }, text);
const note = (...text) => h('p', { class: 'note' }, text);
const waiting = app => { app.later(); return h('p', { class: 'wait' }, 'Grouping the failures…'); };
const card = (span, title, ...content) => h('section', { class: `card ${span}` }, title && h('h2', {}, title), content);

// ---- rows

export function familyRow(family) {
  const advice = family.lesson ? family.told > 1 && family.told_again > family.told_worked || family.failed > family.worked
    ? tag('does not help', 'bad') : family.worked || family.told_worked ? tag('helps', 'good') : '' : tag('no lesson', 'warn');
  return {
    href: link('family', { hash: family.hash }),
    content: [
      h('span', { class: 'line' }, h('span', { class: 'name' }, stored(family.hash), advice),
        h('span', { class: 'side' }, family.week ? h('b', {}, `${number(family.week)} this week`) : '',
          h('span', { class: 'more' }, `${family.week ? ' · ' : ''}${number(family.count)} in all · `, ago(family.last)))),
      h('span', { class: 'sub' }, stored(family.error)),
    ],
  };
}

function votes(of) {
  return [of.worked ? tag(`worked ${of.worked}×`, 'good') : '', of.failed ? tag(`failed ${of.failed}×`, 'bad') : '',
    of.irrelevant ? tag(`irrelevant ${of.irrelevant}×`, 'warn') : ''];
}

export function entryRow(entry) {
  const hidden = entry.dismissed !== undefined || entry.superseded_by !== undefined;
  return {
    href: link('entry', { id: entry.id }),
    class: hidden ? 'hidden' : '',
    content: [
      h('span', { class: 'line' }, h('span', { class: 'name' }, stored(entry.title)),
        h('span', { class: 'side' }, entry.pinned ? tag('pinned') : '', votes(entry.votes), tag(entry.kind), ' ', ago(entry.ts))),
      h('span', { class: 'sub' }, entry.lesson ? ['→ ', stored(entry.lesson)] : stored(entry.detail || entry.tags.join(', ') || entry.id)),
    ],
  };
}

// ---- acts

/** The same advice once, with the number of entries that give it; the votes are those of all. */
function alike(entries) {
  const byText = new Map();
  for (const entry of entries) {
    const text = entry.lesson ?? entry.title;
    const first = byText.get(text);
    if (first) {
      first.times++;
      for (const vote of Object.keys(first.votes)) first.votes[vote] += entry.votes[vote];
    } else {
      byText.set(text, { ...entry, votes: { ...entry.votes }, times: 1 });
    }
  }
  return [...byText.values()].sort((one, other) => other.pinned - one.pinned);
}

/** Replaces advice by a better lesson. */
function better(app, family, entry) {
  return h('button', { class: 'small', onclick: () => perform({ act: 'lesson', family, instead: entry.id }, app.reload,
    [{ name: 'text', label: 'The better lesson', long: true }]) }, 'Correct…');
}

function entryActs(app, entry, ...more) {
  if (app.hello.read_only) return null;
  const button = (label, request, fields, mood = '') => h('button', { class: 'small ' + mood,
    onclick: () => perform({ id: entry.id, ...request }, app.reload, fields) }, label);
  const hidden = entry.dismissed !== undefined || entry.superseded_by !== undefined;
  const judged = entry.kind === 'failure' || entry.kind === 'success';
  return h('div', { class: 'acts' }, more,
    entry.pinned || hidden ? button(entry.pinned ? 'Unpin' : 'Show again', { act: 'restore' }) : button('Pin', { act: 'pin' }),
    hidden ? '' : button('Dismiss', { act: 'dismiss' }, [{ name: 'why', label: 'Why' }]),
    hidden ? '' : button('Replace', { act: 'supersede' }, [{ name: 'by', label: 'The id of the entry that replaces it' }]),
    judged && button('Vote', { act: 'vote' }, [{ name: 'outcome', label: 'The advice', choices: ['worked', 'failed', 'irrelevant'] }]),
    button('Tags', { act: 'retag' }, [{ name: 'add', label: 'Add', list: true }, { name: 'remove', label: 'Remove', list: true }]),
    button('Erase', { act: 'purge' }, [], 'danger'));
}

function lessonBox(app, family) {
  if (app.hello.read_only) return null;
  const input = h('textarea', { 'aria-label': `Lesson for ${family.hash}`, placeholder: 'What to do instead, in one sentence' });
  return h('div', {}, h('div', { class: 'quote' }, stored(family.error)), h('div', { class: 'acts' }), input, h('div', { class: 'acts' },
    h('button', { class: 'primary small', onclick: () => input.value.trim()
      ? perform({ act: 'lesson', family: family.hash, text: input.value }, app.reload) : input.focus() }, 'Teach'),
    h('a', { class: 'button small', href: link('family', { hash: family.hash }) }, 'Look at the family')));
}

// ---- overview

export async function overview(app) {
  const o = await get('overview');
  const weeks = o.weeks, last = weeks[weeks.length - 1];
  const known = weeks.filter(week => week.failures > 0);
  const now = last.failures ? last : known[known.length - 1];
  const before = known.filter(week => week !== now).slice(-4);
  const rate = now ? percent(now.repeats, now.failures) : null;
  const earlier = percent(before.reduce((sum, week) => sum + week.repeats, 0), before.reduce((sum, week) => sum + week.failures, 0));
  const change = rate === null || earlier === null ? null : rate - earlier;
  const told = weeks.reduce((sum, week) => sum + week.told, 0), worked = weeks.reduce((sum, week) => sum + week.worked, 0);
  const sessions = weeks.reduce((sum, week) => sum + week.sessions, 0), tokens = weeks.reduce((sum, week) => sum + week.tokens, 0);
  const health = o.health;
  app.badge('needs', o.grouped ? o.needs + o.doubtful + o.pairs : undefined);
  app.badge('families', o.families);
  return [
    head('Overview', `${plural(o.failures, 'failure')}, ${plural(o.successes, 'success', 'successes')}, ${plural(o.directives, 'rule')}, ${plural(o.notes, 'note')}.`),
    h('div', { class: 'grid' },
      h('section', { class: 'card s6 hero', 'aria-label': 'Repeat rate' },
        h('div', {}, h('h2', {}, 'Repeat rate'), h('p', { class: 'big' }, rate === null ? '–' : `${rate} %`),
          note(now ? `${now === last ? 'of this week’s' : 'of the last known week’s'} ${plural(now.failures, 'failure')} had been met before. `
            : 'No failure yet. '),
          change !== null && h('p', { class: `note ${change <= 0 ? 'good' : 'bad'}` },
            change === 0 ? 'As in the four weeks before.' : `${Math.abs(change)} points ${change < 0 ? 'lower' : 'higher'} than in the four weeks before.`),
          !o.seen_by_guards && rate !== null && note('By what was recorded; with hooks installed, by every call.')),
        repeatLine(weeks)),
      card('s3', 'Shown, then worked',
        told ? [h('p', { class: 'mid' }, `${number(worked)} of ${number(told)}`),
          meter(percent(worked, told), `${worked} of ${told} answers`),
          bars('Answers by week', weeks.map(week => ({ day: week.from, ...week })), each => each.told, each => each.worked,
            each => `Week of ${each.from}: shown ${plural(each.told, 'time')}, then worked in ${each.worked}`),
          note(`Advice was shown ${plural(told, 'time')} in twelve weeks; in ${number(worked)} the same work then succeeded.`)]
          : [h('p', { class: 'mid dim' }, '–'), note('No advice was shown yet. Agents get it through hooks, MCP or a guard.')]),
      card('s3', 'Tokens shown a session',
        sessions ? [h('p', { class: 'mid' }, number(Math.round(tokens / sessions))),
          bars('Tokens shown by day', o.days, each => each.tokens, each => each.tokens, each => `${each.day}: ${plural(each.tokens, 'token')}`),
          note(`${plural(tokens, 'token')} in ${plural(sessions, 'session')}.`)]
          : [h('p', { class: 'mid dim' }, '–'), note('What the memory costs is counted from the first advice on.')]),
      card('s6', 'Failures and new families a day',
        bars('Failures by day', o.days, each => each.failures, each => each.new, each => `${each.day}: ${plural(each.failures, 'failure')}, ${plural(each.new, 'new family', 'new families')}`),
        h('div', { class: 'legend' }, h('span', {}, h('b', { class: 'full' }), 'of a new family'), h('span', {}, h('b'), 'met before'))),
      o.grouped ? [
        card('s3', 'Cost most this week', note('By how often they failed in seven days.'),
          shortList('Families that cost most', o.costliest.filter(family => family.week), familyRow), !o.costliest.some(family => family.week) && note('Nothing failed in seven days.')),
        card('s3', 'Advice that does not help', note('Shown, and it failed again; or voted down.'),
          shortList('Advice that does not help', o.unhelpful, familyRow), o.unhelpful.length === 0 && note('None is known.')),
      ] : card('s6', 'Families', waiting(app)),
      card('s6', 'Health', facts([
        ['Files', `${bytes(health.bytes)}, and ${bytes(health.index_bytes)} of index`],
        ['Check', health.verified ? health.findings === 0 ? h('span', { class: 'good' }, 'no findings') : h('span', { class: 'bad' }, plural(health.findings, 'finding'))
          : health.verifiable ? 'running…' : h('span', {}, 'run ', h('code', {}, 'xmem verify'))],
        ...(health.finding ?? []).map(text => ['', stored(text)]),
        ['Malformed lines', number(health.malformed)],
        ['Sync', health.sync ? h('span', { class: health.sync_error ? 'bad' : '' }, health.sync, health.sync_success ? [', ', ago(health.sync_success)] : '', health.sync_error ? [': ', stored(health.sync_error)] : '') : 'none in this process'],
        ['Last compaction', health.last_compaction ? ago(health.last_compaction) : 'never'],
        health.compaction_due && ['Due', stored(health.compaction_due)],
        (health.dropped || health.unavailable) && ['Guard', `${number(health.dropped)} dropped, ${number(health.unavailable)} unanswered`],
      ]), !app.hello.read_only && h('div', { class: 'acts', 'aria-label': 'Acts on the store' }, h('p', {}),
        h('button', { class: 'small', onclick: () => perform({ act: 'compact' }, app.reload) }, 'Compact…'),
        health.backups.length > 0 && h('button', { class: 'small', onclick: () => perform({ act: 'backup' }, app.reload,
          [{ name: 'name', label: 'Backup', choices: health.backups }]) }, 'Restore a backup…')))),
  ];
}

function facts(pairs) {
  return h('dl', { class: 'facts' }, pairs.filter(Boolean).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}

function meter(part, label) {
  const fill = h('i');
  fill.style.width = (part ?? 0) + '%';
  return h('div', { class: 'meter', role: 'meter', 'aria-valuenow': part, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-label': label }, fill);
}

// ---- families

const SORTS = { newest: 'Newest', costliest: 'Costliest', frequent: 'Most frequent', unhelpful: 'Advice that does not help', lessonless: 'Without a lesson' };

export async function families(app, given) {
  const sort = SORTS[given.sort] ? given.sort : 'newest';
  const first = await get('families', { sort, q: given.q, offset: 0 });
  if (!first.grouped) return [head('Families'), waiting(app)];
  const list = virtualList('Families', familyRow, offset => offset === 0 ? first : get('families', { sort, q: given.q, offset }));
  app.list = list.list;
  return [
    head('Families', `${plural(first.total, 'family', 'families')} in the newest ${plural(first.counted, 'failure')}.`,
      h('div', { class: 'tabs', role: 'group', 'aria-label': 'Order' }, Object.entries(SORTS).map(([name, label]) =>
        h('button', { 'aria-pressed': String(name === sort), onclick: () => { location.hash = link('families', { sort: name, q: given.q }); } }, label)))),
    first.total ? list : h('p', { class: 'empty' }, sort === 'unhelpful' ? 'No advice is known that does not help.' : 'No family yet. The first failure makes one.'),
  ];
}

const DOORS = { failed: 'after a failure', before: 'before a call', asked: 'when asked', user: 'when the user complained' };
const RESULTS = { worked: ['then worked', 'good'], again: ['failed again', 'bad'], open: ['nothing since', ''] };

export async function family(app, given) {
  const f = await get('family', { hash: given.hash });
  const e = f.explained;
  const advice = alike([...f.failures.filter(failure => failure.lesson), ...f.fixed_by]);
  return [
    head(stored(f.hash), [plural(f.total, 'entry', 'entries'), ' in ', plural(f.sessions, 'session'), ', first ', ago(f.first), ', last ', ago(f.last), '.']),
    h('div', { class: 'stack' },
      card('', 'What fails', h('div', { class: 'quote' }, stored(`${f.tool} ${f.action}`.trim())), h('div', { class: 'quote' }, stored(f.error))),
      card('', 'What is advised', advice.length === 0 && [note('Nothing yet. An agent that meets this failure learns only that it was met before.'), lessonBox(app, f)],
        folded(advice.map(entry => h('div', { class: 'item' },
          h('div', { class: 'line' }, h('a', { href: link('entry', { id: entry.id }) }, h('b', {}, stored(entry.lesson ?? entry.title))),
            h('span', { class: 'dim' }, entry.pinned ? tag('pinned') : '', entry.mined ? tag('from a retry') : '', entry.times > 1 ? tag(`${entry.times} times`) : '', votes(entry.votes), ' ', ago(entry.ts))),
          entry.kind === 'success' && entry.detail && h('div', { class: 'quote' }, stored(entry.detail)),
          entryActs(app, entry, better(app, f.hash, entry)))), 5),
        advice.length > 0 && !app.hello.read_only && h('div', { class: 'item' }, h('button', { class: 'small',
          onclick: () => perform({ act: 'lesson', family: f.hash }, app.reload, [{ name: 'text', label: 'The lesson', long: true }]) }, 'Write another lesson…'))),
      card('', 'What was said', f.recalls.length === 0 && note('Nothing, as far as this machine knows.'),
        folded(f.recalls.map(recall => h('div', { class: 'item' },
          h('div', { class: 'line' }, h('span', {}, ago(recall.ts), ' ', DOORS[recall.door], recall.session ? [' in session ', h('code', {}, recall.session)] : ''),
            h('span', {}, recall.tokens ? h('span', { class: 'dim' }, plural(recall.tokens, 'token')) : tag('said nothing'), tag(...RESULTS[recall.result]),
              recall.followed.length ? tag('advice followed', 'good') : '')),
          recall.text && h('div', { class: 'quote' }, stored(recall.text)))), 4)),
      card('', 'Why this family', h('div', { class: 'parts' },
        ['tool', 'action', 'pattern', 'subject'].filter(part => e[part]).map(part => h('span', { class: 'part' }, h('small', {}, part), stored(e[part])))),
        e.why && note(stored(e.why)), !e.same && note('The stored hash differs: another version or another program made it.')),
      f.related.length > 0 && card('', 'Related families', h('div', { class: 'chips' }, f.related.map(other =>
        h('a', { href: link('family', { hash: other.hash }), title: other.error }, stored(other.hash))))),
      card('', 'Entries', h('div', { class: 'rows' }, folded(f.failures.map(failure => {
        const row = entryRow(failure);
        return h('a', { class: 'row ' + row.class, href: row.href }, row.content);
      }), 6)))),
  ];
}

// ---- needs you

export async function needs(app) {
  const n = await get('needs');
  if (!n.grouped) return [head('Needs you'), waiting(app)];
  const section = (title, why, items) => items.length > 0 && h('section', { class: 'card' }, h('h2', {}, `${title} (${items.length})`), note(why), items);
  const doubtful = family => h('div', { class: 'item' },
    h('div', { class: 'line' }, h('a', { href: link('family', { hash: family.hash }) }, h('b', {}, stored(family.hash))), h('span', { class: 'dim' }, votes(family), ' last ', ago(family.last))),
    h('div', { class: 'quote' }, stored(family.lesson)),
    !app.hello.read_only && family.lesson_id && h('div', { class: 'acts' }, better(app, family.hash, { id: family.lesson_id }),
      h('button', { class: 'small', onclick: () => perform({ act: 'dismiss', id: family.lesson_id, why: 'it does not help' }, app.reload) }, 'Dismiss'),
      h('button', { class: 'small', onclick: () => perform({ act: 'vote', id: family.lesson_id, outcome: 'worked' }, app.reload) }, 'It works')));
  const sections = [
    section('Write a lesson', 'Met three times or more, and no advice is known.', n.lessons.map(family => h('div', { class: 'item' },
      h('div', { class: 'line' }, h('b', {}, stored(family.hash)), h('span', { class: 'dim' }, `${plural(family.count, 'time')}, last `, ago(family.last))), lessonBox(app, family)))),
    section('Learned from retries', 'A call failed, a changed one worked. Is the difference the lesson?', n.pairs.map(pair => h('div', { class: 'item' },
      h('div', { class: 'line' }, h('a', { href: link('entry', { id: pair.id }) }, h('b', {}, stored(pair.title))), h('span', { class: 'dim' }, stored(pair.family), pair.times > 1 ? ` · ${pair.times} times · ` : ' · ', ago(pair.ts))),
      h('div', { class: 'quote' }, stored(pair.detail)),
      !app.hello.read_only && h('div', { class: 'acts' },
        h('button', { class: 'small primary', onclick: () => perform({ act: 'pin', id: pair.id }, app.reload) }, 'Accept'),
        h('button', { class: 'small', onclick: () => perform({ act: 'dismiss', id: pair.id, why: 'not the lesson' }, app.reload) }, 'Dismiss'))))),
    section('Contradicted advice', 'More votes against it than for it.', n.contradicted.map(doubtful)),
    section('Stale advice', 'Neither met nor confirmed for half a year.', n.stale.map(doubtful)),
    section('Conflicting rules', 'Two rules oppose each other, and no order decides. Dismiss one.', n.conflicts.map(rule => h('div', { class: 'item' },
      h('div', { class: 'line' }, h('b', {}, stored(rule.title)), h('span', { class: 'dim' }, rule.scope, ' ', ago(rule.ts))), entryActs(app, rule)))),
    n.promotable.length > 0 && h('section', { class: 'card' }, h('h2', {}, 'Proven successes'), note('They can become rules.'),
      folded(alike(n.promotable).map(success => h('div', { class: 'item' }, h('b', {}, stored(success.title)), ' ',
        votes(success.votes), command(`${app.hello.command} promote ${success.id}`))), 4)),
  ].filter(Boolean);
  return [head('Needs you', 'What only a person can decide.'),
    sections.length ? h('div', { class: 'stack' }, sections) : h('p', { class: 'empty' }, 'Nothing. Every frequent failure has a lesson, and no advice is in doubt.')];
}

// ---- search, rules, journal

async function listed(app, view, parameters, label) {
  let cursor, loaded = 0;
  const load = async () => {
    const page = await get(view, { ...parameters, cursor, loaded });
    cursor = page.cursor;
    loaded += page.rows.length;
    return { rows: page.rows, more: Boolean(page.cursor), total: page.total, exact: page.exact };
  };
  const first = await load();
  let given = first;
  const list = virtualList(label, entryRow, async () => {
    const answer = given ?? await load();
    given = null;
    return answer;
  }, true);
  app.list = list.list;
  return { list, total: first.total, exact: first.exact };
}

export async function search(app, given) {
  const found = await listed(app, 'search', { q: given.q }, 'Entries found');
  return [head('Search', [given.q ? [stored(given.q), ': '] : '', `${found.exact ? '' : 'at least '}${plural(found.total, 'entry', 'entries')}.`]),
    found.total ? found.list : h('p', { class: 'empty' }, 'Nothing matches. Filters: ', h('code', {}, 'tool=git tag=ci type=failure since=2026-01-01 ctx_hash=… "a phrase" /a.regex/'))];
}

export async function rules(app) {
  const found = await listed(app, 'rules', {}, 'Rules');
  return [head('Rules', `${plural(found.total, 'rule, preference or constraint', 'rules, preferences and constraints')} of the user.`),
    found.total ? found.list : h('p', { class: 'empty' }, 'No rule yet: ', h('code', {}, `${app.hello.command} remember "never push to main"`))];
}

export async function journal(app) {
  const found = await listed(app, 'journal', {}, 'Notes');
  return [head('Journal', `${plural(found.total, 'note')}.`), found.total ? found.list : h('p', { class: 'empty' }, 'No note yet.')];
}

export async function entry(app, given) {
  const entry = await get('entry', { id: given.id });
  const names = Object.entries(entry.fields);
  return [
    head(stored(entry.title), [entry.kind, ' ', h('code', {}, stored(entry.id)), ', ', ago(entry.ts)]),
    h('div', { class: 'stack' },
      card('', '', h('div', {}, entry.pinned ? tag('pinned') : '', votes(entry.votes), entry.tags.map(each => tag(stored(each))),
        entry.dismissed !== undefined && tag('dismissed', 'warn'), entry.superseded_by && tag(['replaced by ', stored(entry.superseded_by)], 'warn'), entry.conflict && tag('conflict', 'bad')),
      entryActs(app, entry),
      entry.family && entry.kind === 'failure' && h('p', { class: 'chips' }, h('a', { href: link('family', { hash: entry.family }) }, stored(entry.family))),
      (entry.answers ?? []).length > 0 && h('p', { class: 'chips' }, 'Answers ', entry.answers.map(id => h('a', { href: link('entry', { id }) }, stored(id))))),
      card('', 'The line', facts(names.map(([name, value]) => [stored(name), stored(value, 'span')])))),
  ];
}

export async function peers() {
  const p = await get('peers');
  return [
    head('Peers', p.backend ? `Syncs through ${p.backend}.` : 'This process does not sync. What was imported before is shown.'),
    h('div', { class: 'stack' },
      p.backend && card('', 'This replica', facts([['Replica', h('code', {}, p.replica || '–')], ['Published', number(p.published)], ['Imported', number(p.imported)],
        ['Pending', number(p.pending)], ['Last round', p.last_success ? ago(p.last_success) : 'none'], p.last_error && ['Error', stored(p.last_error)]])),
      [...(p.refused ?? []), ...(p.unread ?? [])].length > 0 && card('', 'Refused', [...p.refused, ...p.unread].map(text => h('div', { class: 'item' }, stored(text)))),
      p.peers.map(peer => card('', ['Replica ', stored(peer.replica)], facts(peer.files.map(file => [stored(file.name), [bytes(file.bytes), ', ', ago(file.ts)]])))),
      p.peers.length === 0 && h('p', { class: 'empty' }, 'Nothing was imported from another replica.')),
  ];
}

/** What an address shows that names none of the views. */
export function unknown() {
  return [head('Not found'), h('p', { class: 'empty' }, 'This address names no view. ', h('a', { href: '#/overview' }, 'Overview'))];
}
