// The outputs: recordings, streams and stills.

import { $, h, keyed, iconButton, icon, setIcon, show, text, bytes, rate, time, toast, attribute, announce } from './dom.js';
import { state, attempt, request } from './api.js';

const usual = 'recordings/%Y-%m-%d/%H%M%S.mp4';
const usualStill = 'stills/%Y-%m-%d/%H%M%S.jpg';
const path = (id) => `outputs/${encodeURIComponent(id)}`;
const isOpen = (output) => ['waiting', 'running', 'paused'].includes(output.state);

/** The recordings that have not ended. */
export const recordings = () => state.outputs.filter((output) => output.kind === 'recording' && isOpen(output));

/** The recordings that a client has started; the record button ends no recording of the configuration. */
export const ownRecordings = () => recordings().filter((output) => !output.configured);

const kinds = {
  recording: 'Recording', stream: 'Stream', file: 'File', 'virtual-camera': 'Virtual camera', window: 'Window', screen: 'Screen', preview: 'Preview', null: 'Nowhere',
};
const titles = { waiting: 'waiting', running: 'running', paused: 'paused', finished: 'done', failed: 'failed' };

/** Starts a recording, or ends the recordings that a client has started. */
export async function toggleRecording() {
  const present = ownRecordings();
  if (present.length) {
    for (const output of present) await attempt('DELETE', path(output.id));
    return;
  }
  if (!state.can.outputs) return toast(refusal, 'warning');
  const name = $('recordName')?.value.trim() || usual;
  await attempt('POST', 'outputs', { to: name });
}

const refusal = 'Nothing may be recorded from here: give the panel a folder for recordings (--panel-root DIR, or the panel\'s key root).';

/** Takes a still for viewing and download, and a still on the server if the server and the user want a file. */
export async function takeStill(of = $('stillOf')?.value || 'output') {
  const address = `api/v1/still.jpg?of=${encodeURIComponent(of)}&n=${Date.now()}`;
  const isWritten = state.can.stills && ($('stillKeep')?.checked ?? true);
  let saved = null;
  if (isWritten) {
    try {
      saved = await request('POST', 'stills', { to: usualStill, of });
    } catch (problem) {
      if (problem.status !== 401) toast(problem.message, 'error');
    }
  }
  const moment = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-');
  const image = $('stillImage');
  image.onerror = () => {
    if (!$('stillDialog').open) return;
    $('stillDialog').close();
    toast('There is no picture to take a still of.', 'error');
  };
  image.src = address;
  const link = $('stillDownload');
  link.href = address;
  link.download = `${of}-${moment}.jpg`;
  text($('stillPath'), saved?.path ? `Written to ${saved.path}` : 'Not written on the server.');
  announce(saved?.path ? `Still written to ${saved.path}` : 'Still taken');
  if (!$('stillDialog').open) $('stillDialog').showModal();
}

async function mark() {
  if (await attempt('POST', 'moments', { name: 'panel' })) toast('The moment is kept: its clip is being written.');
}

async function stream(event) {
  event.preventDefault();
  const field = $('streamTo');
  const to = field.value.trim();
  if (!/^[a-z][a-z0-9+]*:\/\/./i.test(to)) return toast('An address begins with rtmp://, srt:// or the like.', 'warning');
  if (await attempt('POST', 'outputs', { to })) field.value = '';
}

function make({ id }) {
  const own = () => state.outputs.find((output) => output.id === id);
  const button = (name, label, action, run) => iconButton(name, label, { 'data-action': action, onclick: run });
  const parts = {
    kind: h('h3'), mark: h('span.mark'), to: h('p.cut.code'), why: h('div.why', { hidden: true }, icon('alert'), h('p')),
    time: h('dd'), size: h('dd'), rate: h('dd'), lost: h('p.quiet'),
    pause: button('pause', 'Pause', 'pause', () => attempt('PATCH', path(id), { state: own().state === 'paused' ? 'running' : 'paused' })),
    split: button('split', 'Begin a new file', 'split', () => attempt('PATCH', path(id), { state: 'split' })),
    stop: button('stop', 'Stop', 'stop', () => attempt('DELETE', path(id))),
  };
  const node = h('li.card.output', { 'data-output': id },
    h('div.row.tight', {}, h('div.grow', {}, h('div.row.tight', {}, parts.kind, parts.mark)), parts.pause, parts.split, parts.stop),
    parts.to, parts.why,
    h('dl.numbers', {}, h('div', {}, h('dt', {}, 'Time'), parts.time), h('div', {}, h('dt', {}, 'Size'), parts.size),
      h('div', {}, h('dt', {}, 'Bit rate'), parts.rate)), parts.lost);
  node.parts = parts;
  return node;
}

function update(node, output) {
  const { parts } = node;
  text(parts.kind, kinds[output.kind] ?? output.kind);
  text(parts.mark, titles[output.state] ?? output.state);
  parts.mark.dataset.tone = { running: output.kind === 'recording' ? 'rec' : 'good', failed: 'bad', waiting: 'warn' }[output.state] ?? 'calm';
  text(parts.to, output.to);
  parts.to.title = output.to;
  show(parts.why, Boolean(output.error));
  text(parts.why.lastElementChild, output.error);
  text(parts.time, time(output.seconds ?? 0));
  // The size of a stream, and of a recording in segments, is unknown.
  text(parts.size, output.bytes === null ? '–' : bytes(output.bytes));
  text(parts.rate, output.state === 'running' && output.bits_per_second !== null ? rate(output.bits_per_second) : '–');
  const dropped = Object.values(output.dropped ?? {}).reduce((sum, count) => sum + count, 0);
  const notes = [];
  if (dropped) notes.push(`${dropped} frames dropped: ${Object.entries(output.dropped).map(([name, count]) => `${count} ${name}`).join(', ')}`);
  if (output.connections > 1) notes.push(`connected anew ${output.connections - 1} time${output.connections > 2 ? 's' : ''}`);
  show(parts.lost, notes.length > 0);
  text(parts.lost, notes.join(' · '));
  const isPaused = output.state === 'paused';
  const canPause = ['running', 'paused'].includes(output.state);
  show(parts.pause, canPause);
  setIcon(parts.pause.firstElementChild, isPaused ? 'play' : 'pause');
  attribute(parts.pause, 'aria-label', isPaused ? 'Resume' : 'Pause');
  attribute(parts.pause, 'title', isPaused ? 'Resume' : 'Pause');
  show(parts.split, Boolean(output.can_split) && output.state === 'running');
  const word = isOpen(output) ? 'Stop' : 'Take off the list';
  setIcon(parts.stop.firstElementChild, isOpen(output) ? 'stop' : 'close');
  attribute(parts.stop, 'aria-label', word);
  attribute(parts.stop, 'title', word);
}

function build() {
  $('panel-outputs').append(
    h('h2.unseen', {}, 'Outputs'),
    h('div.why.calm', { id: 'outputsRefused', hidden: true }, icon('key'), h('p', {}, refusal)),
    h('form.card', { id: 'recordForm', onsubmit: (event) => { event.preventDefault(); toggleRecording(); } },
      h('div.field', {}, h('label', { for: 'recordName' }, 'Record to'),
        h('input', { id: 'recordName', type: 'text', value: usual, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': 'recordHelp' })),
      h('p.quiet', { id: 'recordHelp' }, '%Y-%m-%d is the date, %H%M%S the time at which the file begins.'),
      h('button.rec.wide', { id: 'recordBig', type: 'submit', 'data-action': 'record-big' }, icon('record'), h('span', {}, 'Record'))),
    h('div.card', { id: 'momentCard', hidden: true },
      h('button.wide', { id: 'moment', type: 'button', 'data-action': 'mark', onclick: mark }, icon('save'), h('span', {}, 'Keep this moment')),
      h('p.quiet', {}, 'Writes a clip of what has just happened and of what comes next.')),
    h('form.card', { id: 'streamForm', onsubmit: stream },
      h('div.field', {}, h('label', { for: 'streamTo' }, 'Stream to'),
        h('div.row.tight', {}, h('input', { id: 'streamTo', type: 'text', inputmode: 'url', placeholder: 'rtmp://, srt://, …', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' }),
          h('button', { type: 'submit', id: 'streamStart', 'data-action': 'stream' }, icon('stream'), 'Start')))),
    h('form.card', { id: 'stillForm', onsubmit: (event) => { event.preventDefault(); takeStill(); } },
      h('div.row.tight', {},
        h('div.field.grow', {}, h('label', { for: 'stillOf' }, 'Still of'), h('select', { id: 'stillOf' })),
        h('button', { type: 'submit', id: 'stillTake', 'data-action': 'take-still' }, icon('still'), 'Take')),
      h('label.switch', { id: 'stillKeepLabel' }, h('input', { type: 'checkbox', role: 'switch', id: 'stillKeep', checked: true }), h('span', {}, 'Write it on the server, too'))),
    h('h3.over', { id: 'outputsTitle' }, 'Running and done'),
    h('ul.list', { id: 'outputList', 'aria-labelledby': 'outputsTitle' }),
    h('p.quiet.pad', { id: 'outputsEmpty' }, 'Nothing is recorded or sent.'));
}

export function draw() {
  if (!$('outputList')) build();
  const may = Boolean(state.can.outputs);
  show($('outputsRefused'), !may);
  for (const id of ['recordName', 'streamTo', 'streamStart']) $(id).disabled = !may;
  const present = ownRecordings();
  $('recordBig').disabled = !may && !present.length;
  $('recordBig').classList.toggle('on', present.length > 0);
  text($('recordBig').lastElementChild, present.length ? `Stop · ${time(present[0].seconds ?? 0)}` : 'Record');
  setIcon($('recordBig').firstElementChild, present.length ? 'stop' : 'record');
  show($('momentCard'), state.outputs.some((output) => output.has_clips && output.state === 'running'));
  show($('stillKeepLabel'), Boolean(state.can.stills));
  keyed($('stillOf'), [{ id: 'output', title: 'the whole picture' }, ...state.cameras.map(({ id }) => ({ id, title: id }))],
    (each) => each.id, (each) => h('option', { value: each.id }, each.title));
  const list = [...state.outputs].sort((a, b) => isOpen(b) - isOpen(a));
  keyed($('outputList'), list, (output) => output.id, make, update);
  show($('outputsEmpty'), list.length === 0);
}
