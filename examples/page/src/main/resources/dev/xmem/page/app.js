// The frame: which view an address names, keys, completion, and what is new.
import { Failed, get, h, hide, setAct, show, stored } from './ui.js';
import * as views from './views.js';

const VIEWS = [['overview', 'Overview'], ['families', 'Families'], ['needs', 'Needs you'], ['search', 'Search'], ['rules', 'Rules'], ['journal', 'Journal'], ['peers', 'Peers']];
const PARENT = { family: 'families', entry: 'search' };
const main = document.getElementById('main');
const q = document.getElementById('q');
const hints = document.getElementById('hints');
const counts = {};
let version = '', shown = '', turn = 0;

const app = {
  hello: null,
  list: null,
  reload: () => render(true),
  /** The server groups the failures of a large store for a while. */
  later: () => { setTimeout((mine => () => mine === turn && render(true))(turn), 1000); },
  badge: (view, count) => { counts[view] = count; navigation(); },
};

function address() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const known = views[path] && path !== 'familyRow' && path !== 'entryRow';
  return { view: known ? path : path ? 'unknown' : 'overview', given: Object.fromEntries(new URLSearchParams(query)) };
}

function navigation() {
  const { view } = address();
  document.getElementById('nav').replaceChildren(...VIEWS.map(([name, label]) =>
    h('a', { href: `#/${name}`, 'aria-current': (PARENT[view] ?? view) === name ? 'page' : null }, label,
      counts[name] ? h('span', { class: 'count' }, counts[name]) : '')),
  h('p', { class: 'store' }, stored(app.hello?.store ?? ''), app.hello?.read_only ? ' (read-only)' : ''));
}

/** Shows the view of the address; again with what is new, without moving what the reader looks at. */
async function render(isSame) {
  const mine = ++turn;
  const { view, given } = address();
  const held = isSame ? scrollY : 0;
  if (!isSame) app.list = null;
  try {
    const content = [await views[view](app, given)].flat(Infinity).filter(part => part instanceof Node);
    if (mine !== turn) return;
    main.replaceChildren(...content);
  } catch (failure) {
    if (mine !== turn) return;
    main.replaceChildren(h('div', { class: 'empty', role: 'alert' }, failure instanceof Failed ? stored(failure.message) : 'The server does not answer. Is xmem serve running?'));
    if (!(failure instanceof Failed)) console.error(failure);
  }
  const title = VIEWS.find(([name]) => name === view)?.[1] ?? given.hash ?? given.id ?? 'Not found';
  document.title = `${title} · xmem`;
  if (app.list) {
    await app.list.start();
    app.list.paint();
  }
  if (!isSame) {
    if (document.activeElement !== q) main.focus({ preventScroll: true });
    if (view === 'search') q.value = given.q ?? '';
  }
  scrollTo(0, held);
  app.list?.paint();
  main.dataset.view = view;
  main.dataset.turn = mine;
  navigation();
}

/** What is recorded while one looks appears; unless the reader writes, or is far down a list. */
async function watch() {
  try {
    if (!document.hidden) {
      const fresh = (await get('version')).version;
      if (version && fresh !== version) {
        const busy = document.getElementById('dialog').open || [...main.querySelectorAll('textarea, input')].some(input => input.value || input === document.activeElement)
          || app.list && scrollY > 200;
        if (!busy) {
          await render(true);
        } else if (!main.querySelector('.fresh')) {
          main.prepend(h('div', { class: 'fresh' }, h('button', { class: 'primary small', onclick: () => render(true) }, 'Show what is new')));
        }
      }
      version = fresh;
    }
  } catch {
    // The next question may be answered.
  }
  setTimeout(watch, 2000);
}

// ---- completion of the query language

const KEYS = ['tool', 'tag', 'type', 'ctx_hash', 'session', 'since', 'until', 'order', 'limit', 'layer', 'deep'];
let chosen = -1;

function completions() {
  const word = q.value.slice(0, q.selectionStart ?? q.value.length).match(/\S*$/)[0];
  const [key, value] = word.split('=');
  if (word === '' && q.value !== '') return [];
  if (value === undefined) return KEYS.filter(name => name.startsWith(key) && word !== '').map(name => name + '=');
  const known = { tool: app.hello.tools, tag: app.hello.tags, type: ['failure', 'success', 'note', 'directive'], order: ['newest', 'relevance'], deep: ['true'], layer: ['user', 'team'] }[key] ?? [];
  return known.filter(each => each.startsWith(value) && each !== value).slice(0, 8)
    .map(each => `${key}=${/\s/.test(each) ? `"${each}"` : each}`);
}

function hint() {
  const all = document.activeElement === q ? completions() : [];
  chosen = -1;
  hints.hidden = all.length === 0;
  q.setAttribute('aria-expanded', String(all.length > 0));
  hints.replaceChildren(...all.map((text, i) => h('li', { role: 'option', id: 'hint-' + i, 'aria-selected': 'false',
    onmousedown: event => { event.preventDefault(); complete(text); } }, text)));
}

function complete(text) {
  const end = q.selectionStart ?? q.value.length;
  const begin = q.value.slice(0, end).search(/\S*$/);
  q.value = q.value.slice(0, begin) + text + (text.endsWith('=') ? '' : ' ') + q.value.slice(end).trimStart();
  hint();
}

q.addEventListener('input', hint);
q.addEventListener('focus', hint);
q.addEventListener('blur', () => { hints.hidden = true; q.setAttribute('aria-expanded', 'false'); });
q.addEventListener('keydown', event => {
  const items = [...hints.children];
  if (!hints.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault();
    chosen = (chosen + (event.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length;
    items.forEach((item, i) => item.setAttribute('aria-selected', String(i === chosen)));
    q.setAttribute('aria-activedescendant', 'hint-' + chosen);
  } else if (!hints.hidden && (event.key === 'Tab' || event.key === 'Enter' && chosen >= 0)) {
    event.preventDefault();
    complete(items[Math.max(0, chosen)].textContent);
  } else if (event.key === 'Escape') {
    if (hints.hidden) q.blur();
    hints.hidden = true;
  }
});
document.getElementById('find').addEventListener('submit', event => {
  event.preventDefault();
  hints.hidden = true;
  const next = '#/search?' + new URLSearchParams({ q: q.value.trim() });
  if (next === location.hash) render(); else location.hash = next;
});

// ---- keys

function help() {
  show(h('h2', {}, 'Keyboard'), h('dl', { class: 'help' },
    [['/', 'search'], ['j', 'next row'], ['k', 'row before'], ['Enter', 'open the row'], ['u', 'back'], ['1 – 7', 'the views'], ['?', 'this help'], ['Esc', 'close']]
      .map(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)])),
  h('div', { class: 'acts' }, h('button', { class: 'primary', onclick: hide }, 'Close')));
}

function step(by) {
  if (app.list) return app.list.choose(by);
  const rows = [...main.querySelectorAll('.row, .item a, .item button, .item textarea')];
  const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(document.activeElement) + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('keydown', event => {
  const writes = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
  if (writes && event.key === 'Escape') document.activeElement.blur();
  if (writes || event.ctrlKey || event.metaKey || event.altKey || document.getElementById('dialog').open) return;
  const act = { '/': () => { q.focus(); q.select(); }, j: () => step(1), k: () => step(-1), '?': help, u: () => history.back() }[event.key]
    ?? (VIEWS[event.key - 1] && (() => { location.hash = '#/' + VIEWS[event.key - 1][0]; }));
  if (act) {
    event.preventDefault();
    act();
  }
});
document.getElementById('keys').addEventListener('click', help);

addEventListener('hashchange', () => render());
addEventListener('scroll', () => app.list?.paint(), { passive: true });
addEventListener('resize', () => app.list?.paint());

app.hello = await get('hello');
setAct(app.hello.act);
version = (await get('version')).version;
navigation();
await render();
watch();
