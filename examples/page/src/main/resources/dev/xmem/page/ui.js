// The parts of all views. Stored text becomes text nodes only; no markup is ever parsed.

const SVG = 'http://www.w3.org/2000/svg';

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'value') node.value = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === '') continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

export const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

/** Text that a tool, a user or a peer wrote. */
export const stored = (text, tag = 'bdi') => h(tag, { class: 'stored' }, text ?? '');

// ---- numbers and times, in the reader's words and zone

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dayMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const STEPS = [['year', 31536000], ['month', 2592000], ['week', 604800], ['day', 86400], ['hour', 3600], ['minute', 60]];

export const number = n => n >= 100000 ? short.format(n) : whole.format(n);
export const day = text => dayMonth.format(new Date(text + 'T00:00:00Z'));
export const plural = (n, one, many = one + 's') => `${number(n)} ${n === 1 ? one : many}`;
export const percent = (part, all) => all ? Math.round(100 * part / all) : null;

export function bytes(n) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let i = 0;
  while (n >= 1024 && i < units.length - 1) { n /= 1024; i++; }
  return `${n < 10 && i ? n.toFixed(1) : Math.round(n)} ${units[i]}`;
}

export function ago(text) {
  if (!text) return h('span', { class: 'dim' }, 'no time');
  const date = new Date(text);
  const seconds = (Date.now() - date) / 1000;
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  const words = step ? relative.format(-Math.round(seconds / step[1]), step[0]) : 'just now';
  return h('time', { datetime: text, title: exact.format(date) }, words);
}

// ---- charts: inline SVG at the width of their place, so that text keeps its size

function chart(label, height, draw) {
  const svg = s('svg', { class: 'chart', role: 'img', 'aria-label': label, height });
  const redraw = () => {
    const width = svg.clientWidth;
    if (width > 0) {
      svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
      svg.replaceChildren(s('title', {}, label), ...draw(width).flat(Infinity).filter(Boolean));
    }
  };
  new ResizeObserver(redraw).observe(svg);
  return svg;
}

/** The share of repeats by week, as a line that should fall. */
export function repeatLine(weeks) {
  const known = weeks.filter(week => week.failures > 0);
  const words = known.length
    ? `Repeat rate by week: ${known.map(week => `${day(week.from)} ${percent(week.repeats, week.failures)} %`).join(', ')}`
    : 'No failures in these weeks';
  return chart(words, 210, width => {
    const left = 34, right = 14, top = 22, bottom = 184;
    const x = i => left + (width - left - right) * (weeks.length > 1 ? i / (weeks.length - 1) : .5);
    const y = rate => bottom - (bottom - top) * rate / 100;
    const points = weeks.map((week, i) => ({ week, x: x(i), rate: percent(week.repeats, week.failures) }));
    const drawn = points.filter(point => point.rate !== null);
    const every = Math.ceil(weeks.length / Math.max(2, Math.floor(width / 74)));
    const path = drawn.map((point, i) => `${i ? 'L' : 'M'}${point.x.toFixed(1)} ${y(point.rate).toFixed(1)}`).join('');
    const last = drawn[drawn.length - 1];
    return [
      [0, 50, 100].map(rate => [
        s('line', { class: 'rule', x1: left, x2: width - right, y1: y(rate), y2: y(rate) }),
        s('text', { x: left - 8, y: y(rate) + 4, 'text-anchor': 'end' }, rate + (rate === 100 ? ' %' : '')),
      ]),
      points.map((point, i) => (weeks.length - 1 - i) % every === 0
        && s('text', { x: point.x, y: 204, 'text-anchor': i === weeks.length - 1 ? 'end' : i === 0 ? 'start' : 'middle' }, day(point.week.from))),
      drawn.length > 1 && s('path', { class: 'area', d: `${path}L${last.x} ${bottom}L${drawn[0].x} ${bottom}Z` }),
      s('path', { class: 'curve', d: path }),
      drawn.map(point => s('g', {},
        s('circle', { class: point === last ? 'dot last' : 'dot', cx: point.x, cy: y(point.rate), r: 4.5 }),
        s('circle', { class: 'hit', cx: point.x, cy: y(point.rate), r: 16 },
          s('title', {}, `Week of ${day(point.week.from)}: ${point.week.repeats} of ${plural(point.week.failures, 'failure')} were repeats`)))),
      last && s('text', { class: 'value', x: Math.min(last.x, width - 24), y: y(last.rate) + (last.rate > 18 ? 24 : -12), 'text-anchor': 'middle' }, `${last.rate} %`),
      drawn.length === 0 && s('text', { x: (left + width) / 2, y: 106, 'text-anchor': 'middle' }, 'The line begins with the first failure.'),
    ];
  });
}

/** Bars by day; the part of `inner` is drawn full. */
export function bars(label, days, outer, inner, words) {
  return chart(label, 116, width => {
    const most = Math.max(1, ...days.map(outer));
    const step = width / days.length, bottom = 92, room = 84;
    return [
      s('line', { class: 'rule', x1: 0, x2: width, y1: bottom + .5, y2: bottom + .5 }),
      days.map((each, i) => {
        const tall = room * outer(each) / most, full = room * Math.min(inner(each), outer(each)) / most;
        const place = { x: i * step + step * .14, width: Math.max(1, step * .72), rx: Math.min(3, step * .2) };
        return s('g', {}, s('title', {}, words(each)),
          s('rect', { class: 'hit', x: i * step, width: step, y: 0, height: bottom }),
          tall > 0 && s('rect', { class: 'bar', ...place, y: bottom - tall, height: tall }),
          full > 0 && s('rect', { class: 'bar new', ...place, y: bottom - full, height: full }));
      }),
      s('text', { x: 0, y: 110 }, day(days[0].day)),
      s('text', { x: width, y: 110, 'text-anchor': 'end' }, 'today'),
    ];
  });
}

// ---- lists

/**
 * A list of any length with a constant number of rows in the page. `load(offset)` gives {rows, total} and may be asked
 * for any offset that is a multiple of 50; with `sequential`, for the next one only.
 */
export function virtualList(label, draw, load, sequential) {
  const SIZE = 50;
  const place = h('div', { class: 'rows virtual', role: 'list', 'aria-label': label });
  const pool = [];
  const rows = [];
  const asked = new Set();
  let total = 0, chosen = -1, first = -1, busy = false, ended = false;
  const height = 76;

  async function want(page) {
    // Pages in sequence may be shorter than 50 rows, and there is one question at a time.
    if (sequential ? busy || ended : asked.has(page) || page < 0) return;
    asked.add(page);
    busy = true;
    try {
      const answer = await load(page * SIZE);
      ended = sequential && (!answer.more || answer.rows.length === 0);
      if (sequential) rows.push(...answer.rows);
      else answer.rows.forEach((row, i) => { rows[page * SIZE + i] = row; });
      total = sequential ? rows.length + (ended ? 0 : 1) : answer.total;
    } finally {
      busy = false;
    }
    place.style.height = total * height + 'px';
    first = -1;
    paint();
  }

  function paint() {
    const top = place.getBoundingClientRect().top;
    const begin = Math.max(0, Math.min(total, Math.floor(-top / height) - 3));
    const count = Math.ceil(innerHeight / height) + 6;
    while (pool.length < count) {
      const row = h('div', { role: 'listitem' }, h('a', { class: 'row' }));
      pool.push(row);
      place.append(row);
    }
    if (begin === first) return;
    first = begin;
    pool.forEach((node, slot) => {
      // Each index keeps its node, so that the focus stays where it is.
      const index = begin + ((slot - begin) % pool.length + pool.length) % pool.length;
      node.hidden = index >= total;
      node.style.transform = `translateY(${index * height}px)`;
      if (index < total) {
        if (!rows[index]) want(Math.floor(index / SIZE));
        node.setAttribute('aria-posinset', index + 1);
        node.setAttribute('aria-setsize', sequential ? -1 : total);
        const anchor = node.firstChild;
        anchor.tabIndex = index === Math.max(0, chosen) ? 0 : -1;
        node.dataset.index = index;
        const drawn = rows[index] ? draw(rows[index]) : { href: '', class: '', content: [h('span', { class: 'sub' }, '…')] };
        anchor.href = drawn.href;
        anchor.className = 'row ' + (drawn.class ?? '');
        anchor.replaceChildren(...drawn.content);
      }
    });
  }

  function choose(step) {
    if (total === 0) return;
    chosen = Math.max(0, Math.min(total - 1, chosen + step));
    const top = place.getBoundingClientRect().top + scrollY + chosen * height;
    if (top < scrollY + 130) scrollTo(0, top - 130);
    if (top + height > scrollY + innerHeight) scrollTo(0, top + height - innerHeight + 20);
    first = -1;
    paint();
    pool.find(node => Number(node.dataset.index) === chosen && !node.hidden)?.firstChild.focus({ preventScroll: true });
  }

  place.list = { choose, paint, start: () => want(0), get length() { return total; } };
  return place;
}

/** A short list whose rows are all in the page. */
export function shortList(label, items, draw) {
  return h('div', { class: 'rows', role: 'list', 'aria-label': label }, items.map(item => {
    const drawn = draw(item);
    return h('div', { role: 'listitem' }, h('a', { class: 'row ' + (drawn.class ?? ''), href: drawn.href }, drawn.content));
  }));
}

/** The first of many, and the others behind a line to open. */
export const folded = (items, most) => items.length <= most ? items
  : [items.slice(0, most), h('details', {}, h('summary', {}, `${number(items.length - most)} more`), items.slice(most))];

// ---- talking with the server

let act = '';
export const setAct = secret => { act = secret; };

export class Failed extends Error {}

async function answered(response) {
  const body = await response.json().catch(() => ({ error: 'The server did not answer in JSON.' }));
  if (response.status === 401) location.reload();
  if (!response.ok) throw new Failed(body.error);
  return body;
}

export async function get(name, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== ''));
  return answered(await fetch(`/api/${name}?${query}`, { headers: { Accept: 'application/json' } }));
}

export async function post(name, request) {
  return answered(await fetch(`/api/${name}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Xmem-Act': act }, body: JSON.stringify(request),
  }));
}

// ---- dialogs

const dialog = document.getElementById('dialog');
const toastPlace = document.getElementById('toast');
let toastTimer = 0;

export function toast(text, label, undo) {
  clearTimeout(toastTimer);
  const close = () => toastPlace.replaceChildren();
  toastPlace.replaceChildren(h('div', {}, h('span', {}, text),
    undo && h('button', { class: 'small', onclick: () => { close(); undo(); } }, label),
    h('button', { class: 'small', 'aria-label': 'Close', onclick: close }, '×')));
  toastTimer = setTimeout(close, undo ? 30000 : 6000);
}

export function show(...content) {
  dialog.replaceChildren(...content);
  if (!dialog.open) dialog.showModal();
}
export const hide = () => dialog.close();
dialog.addEventListener('click', event => { if (event.target === dialog) hide(); });

export function command(text) {
  const button = h('button', { class: 'small', type: 'button', onclick: async () => {
    await navigator.clipboard.writeText(text).then(() => { button.textContent = 'Copied'; }, () => { button.textContent = 'Select it'; });
  } }, 'Copy');
  return h('div', { class: 'command' }, h('code', { 'aria-label': 'The same as a command' }, text), button);
}

/**
 * Asks for what an act still needs, shows what it will do and the equal command, does it, and offers to take it back.
 * `fields` are the inputs: {name, label, long, choices, list}.
 */
export async function perform(request, changed, fields = []) {
  const inputs = fields.map(field => ({ ...field, input: field.choices
    ? h('select', { id: 'f-' + field.name }, field.choices.map(choice => h('option', { value: choice }, choice)))
    : h(field.long ? 'textarea' : 'input', { id: 'f-' + field.name, value: field.value ?? '' }) }));
  const filled = () => {
    const whole = { ...request };
    for (const { name, list, input } of inputs) {
      whole[name] = list ? input.value.split(/[\s,]+/).filter(Boolean) : input.value;
    }
    return whole;
  };
  const preview = h('div', { 'aria-live': 'polite' });
  const confirm = h('input', { id: 'f-confirm', autocomplete: 'off' });
  const go = h('button', { class: 'primary' }, 'Do it');
  const title = h('h2', {}, '…');
  let timer = 0;
  const look = async () => {
    try {
      const plan = await post('preview', filled());
      title.textContent = plan.title;
      go.disabled = plan.title === 'Nothing to compact';
      go.className = plan.final ? 'primary danger' : 'primary';
      const isPlan = request.act === 'compact';
      preview.replaceChildren(h('ul', { class: isPlan ? 'plan' : '' }, plan.details.map(line => stored(line, 'li'))),
        h('p', { class: 'dim' }, plan.undoable ? 'It can be taken back. The same as a command:' : 'The same as a command:'), command(plan.command));
      if (plan.final) preview.append(h('label', { for: 'f-confirm' }, `Type ${request.id} to confirm`), confirm);
    } catch (failure) {
      go.disabled = true;
      title.textContent = 'Not yet';
      preview.replaceChildren(h('p', { class: 'dim' }, failure.message));
    }
  };
  const send = async event => {
    event?.preventDefault();
    try {
      const done = await post('do', { ...filled(), confirm: confirm.value });
      hide();
      toast(done.title + ': done', 'Undo', done.undo && (async () => {
        await post('do', { ...done.undo, confirm: done.undo.id }).then(() => toast('Taken back'), failure => toast(failure.message));
        changed();
      }));
      changed();
    } catch (failure) {
      preview.append(h('p', { class: 'bad', role: 'alert' }, failure.message));
    }
  };
  go.addEventListener('click', send);
  show(h('form', { onsubmit: send }, title,
    inputs.map(({ name, label, input }) => [h('label', { for: 'f-' + name }, label), input]), preview,
    h('div', { class: 'acts' }, h('button', { type: 'button', onclick: hide }, 'Cancel'), go)));
  inputs.forEach(({ input }) => input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, 150); }));
  (inputs[0]?.input ?? go).focus();
  await look();
}
