// The recordings: their days, the time line of a day, and the list.

import { $, h, icon, keyed, show, text, attribute, bytes, time, number } from './dom.js';
import { state, request } from './api.js';
import * as player from './player.js';

const page = 1000;
const most = 10000;
let days = [];
/** The date of the shown day; null before the first answer. */
let date = null;
let found = [];
let readAt = -Infinity;
let reads = 0;

/** The offset of the server's local time from UTC, in seconds, at a time. It changes within a day on which clocks do. */
const offset = (seconds) => {
  const { offsets = [] } = days.find(({ from }) => from <= seconds) ?? days.at(-1) ?? {};
  return (offsets.findLast(({ from }) => from <= seconds) ?? offsets[0])?.seconds ?? 0;
};
const local = (seconds) => new Date((seconds + offset(seconds)) * 1000).toISOString();

/** The time of day in the server's time zone: `15:04:05`. */
export const clock = (seconds) => local(seconds).slice(11, 19);
/** The time that is some seconds of clock time after the beginning of the day of `seconds`, in the server's time zone. */
export const onDay = (seconds, after) => {
  const shown = Date.parse(`${local(seconds).slice(0, 10)}T00:00:00Z`) / 1000 + after;
  return shown - offset(shown - offset(seconds));
};
/** A date in words: `Sun, 29 Nov`. */
const dayName = (day, more = {}) => new Date(`${day}T12:00:00Z`)
  .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC', ...more });
export const longDay = (seconds) => dayName(local(seconds).slice(0, 10), { year: 'numeric' });

/** What is worth a mark beside a recording. */
export const marks = (recording) => [
  recording.moments.length && [recording.moments.length === 1 ? '1 moment' : `${recording.moments.length} moments`, 'warn'],
  recording.locked && ['locked', 'good'],
  recording.state !== 'complete' && [recording.state, recording.state === 'recording' ? 'rec' : 'bad'],
].filter(Boolean);
const said = (recording) => [clock(recording.start), time(recording.duration), ...marks(recording).map(([word]) => word)].join(', ');

/** Shows the picture of a recording, which the server makes when it is asked for; a file without a picture has none. */
function picture(node, { name, duration }) {
  attribute(node, 'src', duration > 0 ? `api/v1/recordings/thumbnail?name=${encodeURIComponent(name)}` : null);
}

// Reading.

const searched = () => $('recFind').value.trim();

async function listed(query) {
  const all = [];
  while (all.length < most) {
    query.set('limit', page);
    query.set('offset', all.length);
    const { recordings } = await request('GET', `recordings?${query}`);
    all.push(...recordings);
    if (recordings.length < page) break;
  }
  return all;
}

/** Reads the days and the shown recordings again. */
export async function load() {
  readAt = performance.now();
  reads += 1;
  const own = reads;
  try {
    const answer = await request('GET', 'recordings/days');
    if (own !== reads) return;
    days = answer.days;
    if (!days.some((day) => day.date === date)) date = days[0]?.date ?? null;
    const query = new URLSearchParams();
    const day = days.find((each) => each.date === date);
    if (searched()) query.set('find', searched());
    else if (day) {
      query.set('from', day.from);
      query.set('to', day.to);
    }
    if ($('recMoments').checked) query.set('moments', true);
    if ($('recLocked').checked) query.set('locked', true);
    const list = days.length ? await listed(query) : [];
    if (own !== reads) return;
    found = list;
    text($('recProblem').lastElementChild, '');
  } catch (problem) {
    if (own !== reads || problem.status === 401) return;
    text($('recProblem').lastElementChild, problem.message);
  }
  player.follow(found);
  drawAll();
}

/** Takes over a changed recording, or forgets a deleted one: `next` is null. */
export function replace(name, next) {
  found = found.flatMap((each) => (each.name === name ? next ?? [] : each));
  drawAll();
  load();
}

// The time line.

function line() {
  const isDay = !searched() && found.length > 0;
  show($('recLineCard'), isDay);
  if (!isDay) return;
  const hour = 3600;
  const zero = onDay(found[found.length - 1].start, 0);
  const end = onDay(zero, 24 * hour);
  const ends = found.map((each) => each.start + each.duration);
  const from = zero + Math.floor((found[found.length - 1].start - zero) / hour) * hour;
  const to = Math.max(from + hour, zero + Math.ceil((Math.max(...ends) - zero) / hour) * hour);
  const percent = (seconds) => `${Math.min(100, Math.max(0, (seconds - from) / (to - from) * 100)).toFixed(3)}%`;
  const chosen = player.chosen()?.name;
  const focus = found.some((each) => each.name === chosen) ? chosen : found[found.length - 1].name;
  keyed($('recLine'), [...found].reverse(), (each) => each.name, (each) => h('button.bar', {
    type: 'button', 'data-bar': each.name, onclick: () => choose(each.name),
    onpointerenter: (event) => peek(event.target), onfocus: (event) => peek(event.target),
    onpointerleave: () => peek(null), onblur: () => peek(null),
  }), (node, each) => {
    node.style.left = percent(each.start);
    node.style.width = `max(4px, ${((each.duration / (to - from)) * 100).toFixed(3)}%)`;
    node.classList.toggle('locked', each.locked);
    node.classList.toggle('unwell', each.state === 'damaged' || each.state === 'interrupted');
    attribute(node, 'aria-pressed', each.name === chosen);
    attribute(node, 'aria-label', said(each));
    attribute(node, 'title', said(each));
    node.tabIndex = each.name === focus ? 0 : -1;
  });
  const moments = found.flatMap((each) => each.moments.map((moment, index) => ({ key: `${each.name} ${index}`, at: each.start + moment.offset })));
  keyed($('recMarks'), moments, (each) => each.key, () => h('i'), (node, each) => { node.style.left = percent(each.at); });
  const steps = [0, 1, 2, 3, 4].map((step) => from + (to - from) * step / 4);
  keyed($('recAxis'), steps.map((step, index) => ({ step, index })), (each) => each.index, () => h('span'),
    (node, each) => text(node, each.step === end ? '24:00' : clock(each.step).slice(0, 5)));
}

/** Shows the picture of a bar's recording above the bar; null hides it. */
function peek(bar) {
  const recording = bar && found.find((each) => each.name === bar.dataset.bar);
  show($('recPeek'), Boolean(recording));
  if (!recording) return;
  picture($('recPeek'), recording);
  $('recPeek').style.setProperty('--at', `calc(${bar.style.left} + ${bar.offsetWidth / 2}px)`);
}

function walk(event) {
  const bars = [...$('recLine').children];
  const index = bars.indexOf(document.activeElement);
  const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: bars.length - 1 }[event.key];
  if (index < 0 || next === undefined) return;
  event.preventDefault();
  bars[Math.min(bars.length - 1, Math.max(0, next))].focus();
}

// The list.

function choose(name) {
  player.open(found.find((each) => each.name === name));
  drawAll();
}

function make({ name }) {
  const parts = { picture: h('img.thumb', { alt: '', loading: 'lazy', decoding: 'async', width: 96, height: 54 }), when: h('b'), length: h('span'), marks: h('span.row.tight.spring'), about: h('span.cut.quiet'), moments: h('span.cut.quiet') };
  const node = h('li.card', {}, h('button.entry', { type: 'button', 'data-recording': name, onclick: () => choose(name) },
    parts.picture, h('span.row', {}, parts.when, parts.length, parts.marks), parts.about, parts.moments));
  node.parts = parts;
  return node;
}

function update(node, recording) {
  const { parts } = node;
  picture(parts.picture, recording);
  text(parts.when, searched() ? `${dayName(local(recording.start).slice(0, 10))} ${clock(recording.start)}` : clock(recording.start));
  text(parts.length, time(recording.duration));
  keyed(parts.marks, marks(recording), ([word]) => word, ([word, tone]) => h('span.mark', { 'data-tone': tone }, word));
  text(parts.about, [recording.cameras.join(', '), bytes(recording.bytes), recording.name.split('/').pop()].filter(Boolean).join(' · '));
  text(parts.moments, recording.moments.map((moment) => `${time(moment.offset)} ${moment.text}`).join(' · '));
  show(parts.moments, recording.moments.length > 0);
  attribute(node.firstElementChild, 'aria-current', player.chosen()?.name === recording.name ? 'true' : null);
}

function drawDays() {
  keyed($('recDays'), days, (day) => day.date, (day) => h('button.chip', { type: 'button', 'data-day': day.date, onclick: () => {
    date = day.date;
    $('recFind').value = '';
    load();
  } }, h('span', {}, dayName(day.date)), h('span.count')), (node, day) => {
    text(node.lastElementChild, day.count);
    const title = `${dayName(day.date)}: ${day.count} ${day.count === 1 ? 'recording' : 'recordings'}, ${bytes(day.bytes)}${day.clips ? `, ${day.clips} with moments` : ''}`;
    attribute(node, 'aria-label', title);
    attribute(node, 'title', title);
    attribute(node, 'aria-pressed', !searched() && day.date === date);
  });
  show($('recDays'), days.length > 0);
}

function drawAll() {
  drawDays();
  line();
  keyed($('recList'), found, (recording) => recording.name, make, update);
  const isFiltered = searched() || $('recMoments').checked || $('recLocked').checked;
  show($('recProblem'), $('recProblem').textContent !== '');
  show($('recEmpty'), found.length === 0);
  text($('recEmpty'), isFiltered ? 'No recording is like that.' : 'There are no recordings yet.');
  text($('recTotal'), found.length ? `${found.length} ${found.length === 1 ? 'recording' : 'recordings'}, ${bytes(found.reduce((sum, each) => sum + each.bytes, 0))}, ${number(found.reduce((sum, each) => sum + each.duration, 0) / 60, 0)} min` : '');
  player.draw();
}

let waiting = 0;
function build() {
  const again = () => {
    clearTimeout(waiting);
    waiting = setTimeout(load, 250);
  };
  const box = (id, label) => h('label.switch', {}, h('input', { type: 'checkbox', role: 'switch', id, onchange: load }), h('span', {}, label));
  $('panel-recordings').append(
    h('h2.unseen', {}, 'Recordings'),
    h('div.search', {}, h('div.row', {}, icon('search'),
      h('input', { id: 'recFind', type: 'search', 'aria-label': 'Find in all days: a name, a camera or a moment', placeholder: 'Find in all days', autocomplete: 'off', spellcheck: 'false', oninput: again }))),
    h('div.row', {}, box('recMoments', 'With moments'), box('recLocked', 'Locked')),
    h('div.chips.days', { id: 'recDays', role: 'group', 'aria-label': 'Days' }),
    h('div.card', { id: 'recLineCard', hidden: true },
      h('div.timeline', {}, h('div', { id: 'recLine', role: 'group', 'aria-label': 'Time line of the day', onkeydown: walk }),
        h('div', { id: 'recMarks', 'aria-hidden': 'true' }), h('img', { id: 'recPeek', alt: '', hidden: true, width: 192 })),
      h('div.axis', { id: 'recAxis', 'aria-hidden': 'true' })),
    h('div.why', { id: 'recProblem', role: 'alert', hidden: true }, icon('alert'), h('p')),
    h('p.quiet.pad', { id: 'recTotal' }),
    h('ul.list', { id: 'recList', 'aria-label': 'Recordings' }),
    h('p.quiet.pad', { id: 'recEmpty', hidden: true }));
  player.build({ clock, onDay, longDay, marks, replace, mayChange: () => state.can.recordings === 'change' });
}

export function draw() {
  if (!$('recList')) build();
  if (performance.now() - readAt > 10000 && !document.hidden) load();
}
