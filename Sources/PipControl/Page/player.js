// The player of a recording, with its lock, its download and its deletion.

import { $, h, icon, keyed, show, text, attribute, bytes, time, toast, announce } from './dom.js';
import { attempt, request } from './api.js';

let recording = null;
let tools = null;

/** The recording in the player; null for none. */
export const chosen = () => recording;

const file = () => `api/v1/recordings/file?name=${encodeURIComponent(recording.name)}`;

/** Shows a recording in the player. */
export function open(next) {
  if (!next || next.name === recording?.name) return;
  recording = next;
  const video = $('recVideo');
  show($('recWhy'), false);
  // The fragment makes browsers show the first picture.
  video.src = `${file()}#t=0.001`;
  const start = Math.floor(next.start);
  $('recFrom').value = tools.clock(start);
  $('recTo').value = tools.clock(Math.ceil(next.start + next.duration));
  ask(false);
  announce(`Chosen: ${tools.longDay(next.start)}, ${tools.clock(next.start)}`);
  draw();
}

function close() {
  recording = null;
  $('recVideo').removeAttribute('src');
  $('recVideo').load();
  draw();
}

/** Takes over what the server says of the recording now. */
export function follow(list) {
  const next = recording && list.find((each) => each.name === recording.name);
  if (next) recording = next;
}

// Changes.

async function lock() {
  const before = recording.name;
  const { currentTime, paused } = $('recVideo');
  const next = await attempt('POST', `recordings/${recording.locked ? 'unlock' : 'lock'}`, { name: before });
  if (!next) return;
  if (recording?.name === before) {
    recording = next;
    const video = $('recVideo');
    video.src = `${file()}#t=${Math.max(0.001, currentTime)}`;
    if (!paused) video.play().catch(() => {});
  }
  announce(next.locked ? 'Locked' : 'Unlocked');
  tools.replace(before, next);
}

const ask = (isAsked) => {
  show($('recSure'), isAsked);
  show($('recButtons'), !isAsked);
  if (isAsked) $('recKeep').focus();
};

async function remove() {
  const { name } = recording;
  ask(false);
  if (await attempt('DELETE', `recordings/file?name=${encodeURIComponent(name)}`) === undefined) return;
  announce('Deleted');
  if (recording?.name === name) close();
  tools.replace(name, null);
  $('panel-recordings').focus();
}

/** The seconds since 1970 of a time of day, on the day of the recording or after midnight. */
function moment(field, after) {
  const [hours, minutes, seconds = 0] = field.value.split(':').map(Number);
  const time = hours * 3600 + minutes * 60 + seconds;
  const at = tools.onDay(recording.start, time);
  return at < after ? tools.onDay(recording.start, time + 86400) : at;
}

async function cut(event) {
  event.preventDefault();
  if (!$('recFrom').value || !$('recTo').value) return toast('Enter the beginning and the end.', 'warning');
  const from = moment($('recFrom'), -Infinity);
  const span = new URLSearchParams({ name: recording.name, from, to: moment($('recTo'), from) });
  try {
    await request('HEAD', `recordings/export?${span}`);
  } catch (problem) {
    if (problem.status !== 401) toast(problem.status === 409 ? 'The recording has nothing in that span.' : problem.message, 'error');
    return;
  }
  // The browser writes the answer to a file as it comes.
  h('a', { href: `api/v1/recordings/export?${span}`, download: '' }).click();
}

// Drawing.

/** Makes the player; `helpers` are functions of the list. */
export function build(helpers) {
  tools = helpers;
  const field = (id, label) => h('div.field', {}, h('label', { for: id }, label), h('input', { id, type: 'time', step: 1, required: true }));
  $('player').append(
    h('div.stage', {},
      h('video', { id: 'recVideo', controls: true, playsinline: true, preload: 'metadata', 'aria-label': 'Recording', hidden: true, onerror: () => show($('recWhy'), Boolean(recording)) }),
      h('p.choose', { id: 'recChoose' }, 'Choose a recording to play it.')),
    h('div.card', { id: 'recCard', hidden: true },
      h('div.row', {}, h('h2.grow', { id: 'recTitle' }), h('span.row.tight', { id: 'recState' })),
      h('div.why', { id: 'recWhy', hidden: true }, icon('alert'), h('p', {}, 'This browser does not play the file. Download it, and open it in a player.')),
      h('dl.numbers', {}, h('div', {}, h('dt', {}, 'Length'), h('dd', { id: 'recLength' })), h('div', {}, h('dt', {}, 'Size'), h('dd', { id: 'recSize' })),
        h('div', {}, h('dt', {}, 'Cameras'), h('dd', { id: 'recCameras' }))),
      h('div.chips', { id: 'recPlaces', role: 'group', 'aria-label': 'Moments' }),
      h('div.row.tight.wrap', { id: 'recButtons' },
        h('button', { type: 'button', id: 'recLock', onclick: lock }, icon('lock'), h('span')),
        h('a.button', { id: 'recDownload' }, icon('save'), 'Download'),
        h('button.danger', { type: 'button', id: 'recDelete', onclick: () => ask(true) }, icon('trash'), 'Delete')),
      h('div.row.tight', { id: 'recSure', hidden: true }, h('p.grow'),
        h('button.danger', { type: 'button', id: 'recDeleteOK', onclick: remove }, 'Delete'),
        h('button', { type: 'button', id: 'recKeep', onclick: () => { ask(false); $('recDelete').focus(); } }, 'Keep')),
      h('form.span', { id: 'recSpan', onsubmit: cut }, field('recFrom', 'From'), field('recTo', 'To'),
        h('button', { type: 'submit', id: 'recCut' }, icon('save'), 'Download span'))));
}

export function draw() {
  show($('recVideo'), Boolean(recording));
  show($('recChoose'), !recording);
  show($('recCard'), Boolean(recording));
  if (!recording) return;
  text($('recTitle'), `${tools.longDay(recording.start)}, ${tools.clock(recording.start)}`);
  keyed($('recState'), tools.marks(recording), ([word]) => word, ([word, tone]) => h('span.mark', { 'data-tone': tone }, word));
  text($('recLength'), time(recording.duration));
  text($('recSize'), bytes(recording.bytes));
  text($('recCameras'), recording.cameras.join(', ') || '–');
  keyed($('recPlaces'), recording.moments, (each) => `${each.offset} ${each.text}`, (each) => h('button.chip', {
    type: 'button', title: 'Play from 3 seconds before', onclick: () => {
      $('recVideo').currentTime = Math.max(0, each.offset - 3);
      $('recVideo').play().catch(() => {});
    },
  }, h('span.count', {}, time(each.offset)), h('span.cut', {}, each.text)));
  show($('recPlaces'), recording.moments.length > 0);
  const may = tools.mayChange();
  show($('recLock'), may);
  text($('recLock').lastElementChild, recording.locked ? 'Unlock' : 'Lock');
  $('recLock').title = recording.locked ? 'It may be deleted to make room again' : 'It is not deleted to make room';
  show($('recDelete'), may);
  $('recDelete').disabled = recording.locked || recording.state === 'recording';
  $('recDelete').title = recording.locked ? 'Unlock it first' : '';
  text($('recSure').firstElementChild, `Delete ${recording.name}?`);
  attribute($('recDownload'), 'href', file());
  attribute($('recDownload'), 'download', recording.name.split('/').pop());
}
