// The pressure of heat, power and load, and the mitigations in effect.

import { $, h, keyed, menu, show, text, number, words, attribute } from './dom.js';
import { state, attempt } from './api.js';
import { plot, series } from './curves.js';

export const levels = ['nominal', 'fair', 'serious', 'critical', 'shutdown'];
const meanings = {
  nominal: 'Everything runs as configured.',
  fair: 'A little warm or busy: the policy may make small savings.',
  serious: 'Hot or overloaded: the policy may reduce the rate, the size and effects.',
  critical: 'Close to the limit: the policy may switch the insets off.',
  shutdown: 'Too hot or overloaded to go on: the policy may stop the picture, or end pip-compose.',
};
export const toneOf = (level) => ({ nominal: 'good', fair: 'calm', serious: 'warn', critical: 'bad', shutdown: 'bad' }[level] ?? 'calm');

const log = [];
export function remember(message) {
  log.unshift({ ...message, when: new Date(), id: (log[0]?.id ?? 0) + 1 });
  log.length = Math.min(log.length, 40);
}

let parts = null;

function build() {
  parts = {
    level: h('strong.level', { id: 'level' }), degrees: h('span.degrees', { id: 'temperature' }), meaning: h('p.quiet'),
    heat: h('canvas.curve.tall', { role: 'img' }), steps: h('canvas.curve', { role: 'img' }),
    why: h('ul.log', { id: 'why' }), given: h('ul.tags', { id: 'givenUp' }), none: h('p.quiet', {}, 'Nothing is given up.'),
    scale: h('span'),
    pin: menu({
      label: 'Level', hint: 'Pinned levels are for tests and for a quiet fan', hooks: { id: 'pin', 'data-action': 'pin' },
      options: [['', 'as measured'], ...levels.slice(0, -1).map((level) => [level, `pinned: ${level}`])],
      put: (level) => attempt('PATCH', 'pressure', { pinned: level || null }),
    }),
    policy: menu({
      label: 'Policy', hint: 'What is given up first', hooks: { id: 'policy', 'data-action': 'policy' },
      put: (policy) => attempt('PATCH', 'pressure', { policy }),
    }),
    log: h('ol.log.timed', { id: 'events' }),
    plan: h('p.quiet', { id: 'plan' }),
  };
  // The hooks change the ids of the menus, so the labels must refer to the new ids.
  for (const part of [parts.pin, parts.policy]) part.node.firstElementChild.htmlFor = part.node.lastElementChild.id;
  $('panel-pressure').append(
    h('h2.unseen', {}, 'Pressure'),
    h('div.card', {},
      h('div.row', {}, parts.level, h('span.spring'), parts.degrees), parts.meaning, parts.why,
      h('div.axis', {}, h('span', {}, 'Temperature'), parts.scale), parts.heat,
      h('div.axis', {}, h('span', {}, 'Level'), h('span', {}, 'last 10 minutes')), parts.steps),
    h('div.card', {}, h('h3', {}, 'Given up'), parts.given, parts.none),
    h('div.card.pair', {}, parts.pin.node, parts.policy.node),
    h('div.card', {}, h('h3', {}, 'Drawing'), parts.plan),
    h('div.card', {}, h('h3', { id: 'eventsTitle' }, 'What happened'), parts.log));
}

export function draw() {
  if (!parts) build();
  const { pressure, plan } = state;
  text(parts.level, pressure.level);
  parts.level.dataset.tone = toneOf(pressure.level);
  text(parts.degrees, pressure.temperature === null || pressure.temperature === undefined ? 'no sensor' : `${number(pressure.temperature)} °C`);
  text(parts.meaning, meanings[pressure.level] ?? '');
  keyed(parts.why, pressure.why ?? [], (each) => each, (each) => h('li', {}, each));
  keyed(parts.given, pressure.given_up ?? [], (each) => each, (each) => h('li', {}, words(each)));
  show(parts.none, !pressure.given_up?.length);
  show(parts.given, Boolean(pressure.given_up?.length));
  parts.pin.show(pressure.pinned ?? '');
  parts.policy.show(pressure.policy, (pressure.policies ?? [pressure.policy]).map((policy) => [policy, words(policy)]));
  text(parts.plan, plan ? `${plan.renderer}: ${plan.passes} pass${plan.passes === 1 ? '' : 'es'}, ${(plan.pixels / 1e6).toFixed(2)} million pixels a frame; ${state.output.missed} missed, ${state.output.thinned} thinned` : '');
  keyed(parts.log, log.length ? log : [{ id: 0, message: 'Nothing since this page was opened.' }], (each) => each.id,
    (each) => h('li', { 'data-level': each.level }, each.when ? h('time', {}, each.when.toLocaleTimeString()) : null, ' ', each.message));
  const heat = series('heat');
  const real = heat.filter((value) => value !== null);
  show(parts.heat, real.length > 0);
  show(parts.heat.previousElementSibling, real.length > 0);
  if (real.length) {
    const low = Math.floor((Math.min(...real) - 3) / 5) * 5;
    const high = Math.ceil((Math.max(...real) + 3) / 5) * 5;
    text(parts.scale, `${low} to ${high} °C`);
    plot(parts.heat, { line: heat, length: 600, bottom: low, top: high, marks: [low, (low + high) / 2, high] });
    attribute(parts.heat, 'aria-label', `Temperature over the last ten minutes: now ${number(real.at(-1))} °C, at most ${number(Math.max(...real))} °C`);
  }
  plot(parts.steps, { line: series('level'), length: 600, top: 4, marks: [0, 1, 2, 3, 4] });
  attribute(parts.steps, 'aria-label', `Level over the last ten minutes: now ${pressure.level}`);
}
