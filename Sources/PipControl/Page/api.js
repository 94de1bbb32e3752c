// Requests to the server, and the state that the server sends.

import { toast } from './dom.js';

/** The latest state document; null before the first one. */
export let state = null;

/** The state of the connection: `connecting`, `live`, `gone` or `sign-in`. */
export let connection = 'connecting';
export let trouble = '';

const watchers = { state: new Set(), connection: new Set(), message: new Set() };
export const watch = (what, call) => watchers[what].add(call);
const tell = (what, ...values) => watchers[what].forEach((call) => call(...values));

/** The error of a request that the server refused or never answered. */
export class Problem extends Error {
  constructor(status, sentence, wait = 0) {
    super(sentence);
    this.status = status;
    this.wait = wait;
  }
}

async function ask(method, path, body, limit = 15000) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: method === 'GET' ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(limit),
    });
  } catch {
    throw new Problem(0, 'The server does not answer.');
  }
  if (response.ok) return response.status === 204 ? null : response.json().catch(() => null);
  const answer = await response.json().catch(() => ({}));
  const sentence = answer?.detail || answer?.title || `The server refused this (${response.status}).`;
  throw new Problem(response.status, sentence, Number(response.headers.get('Retry-After')) || 0);
}

/** Sends a request to a path below /api/v1; throws a `Problem` if the server refuses it or does not answer. */
export async function request(method, path, body) {
  try {
    return await ask(method, `api/v1/${path}`, body);
  } catch (problem) {
    if (problem.status === 401) signedOut();
    throw problem;
  }
}

/** Sends a request, and shows any problem but a missing sign-in to the user; returns undefined after a problem. */
export async function attempt(method, path, body) {
  try {
    return await request(method, path, body);
  } catch (problem) {
    if (problem.status !== 401) toast(problem.message, 'error');
    return undefined;
  } finally {
    tell('state');
  }
}

// Changes in quick succession: one request at a time for each key, at least 50 ms apart, with the latest change.

const lanes = new Map();

export function later(key, method, path, body) {
  let lane = lanes.get(key);
  if (!lane) {
    lane = { next: null, done: null };
    lanes.set(key, lane);
  }
  lane.next = { method, path, body };
  lane.done ??= drain(key, lane);
  return lane.done;
}

async function drain(key, lane) {
  while (lane.next) {
    const { method, path, body } = lane.next;
    lane.next = null;
    const gap = new Promise((resolve) => setTimeout(resolve, 50));
    await attempt(method, path, body);
    await gap;
  }
  lanes.delete(key);
}

/** Waits until the waiting changes are made, so that none of the changes can overtake the next request. */
export const settled = () => Promise.all([...lanes.values()].map((lane) => lane.done));

// Following the state of the server.

const place = (pointer) => pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Applies a JSON Patch (RFC 6902: add, replace, remove) and returns the new value. */
export function patched(value, operations) {
  const root = { value };
  for (const { op, path, value: given } of operations) {
    const keys = ['value', ...place(path)];
    const last = keys.pop();
    let node = root;
    for (const key of keys) node = node[key];
    if (node === null || typeof node !== 'object') throw new Error(`no ${path}`);
    if (Array.isArray(node)) {
      const index = last === '-' ? node.length : Number(last);
      if (!(index >= 0 && index <= node.length)) throw new Error(`no ${path}`);
      if (op === 'add') node.splice(index, 0, given);
      else if (op === 'remove') node.splice(index, 1);
      else node[index] = given;
    } else if (op === 'remove') delete node[last];
    else node[last] = given;
  }
  return root.value;
}

let source = null;
let retry = 0;
let timer = 0;
let heard = 0;
let failures = 0;

function become(next, why = '') {
  trouble = why;
  if (connection === next && next !== 'gone') return;
  connection = next;
  tell('connection', next);
}

export function signedOut() {
  close();
  become('sign-in');
}

function close() {
  source?.close();
  source = null;
  clearTimeout(timer);
}

function accept(whole) {
  state = whole;
  heard = performance.now();
  tell('state');
}

/** Reads the state, and then follows the server's events; retries unless the server requires a sign-in. */
export async function connect() {
  close();
  try {
    const whole = await ask('GET', 'api/v1/state', undefined, 5000);
    if (!whole || !Array.isArray(whole.cameras)) throw new Problem(0, 'The answer does not come from pip-compose.');
    retry = 0;
    accept(whole);
    become('live');
    follow();
  } catch (problem) {
    if (problem.status === 401) return signedOut();
    become('gone', problem.status ? problem.message : '');
    retry = Math.min(retry + 1, 4);
    timer = setTimeout(connect, 500 * retry);
  }
}

function follow() {
  source = new EventSource('api/v1/events');
  const own = source;
  const guarded = (call) => (event) => {
    if (own !== source) return;
    heard = performance.now();
    failures = 0;
    try {
      call(JSON.parse(event.data));
    } catch {
      // The event is invalid, such as a patch for another state: read the whole state again.
      connect();
    }
  };
  source.addEventListener('state', guarded(accept));
  source.addEventListener('patch', guarded((operations) => accept(patched(state, operations))));
  source.addEventListener('message', guarded((message) => tell('message', message)));
  source.onerror = () => {
    if (own !== source) return;
    close();
    failures += 1;
    // While the event stream fails, the page reads the state every two seconds.
    timer = setTimeout(connect, failures > 1 ? 2000 : 0);
  };
}

// After 20 seconds without an event, reads the state to detect a dead connection.
setInterval(async () => {
  if (connection !== 'live' || performance.now() - heard < 20000) return;
  heard = performance.now();
  try {
    await ask('GET', 'api/v1/state', undefined, 5000);
  } catch {
    connect();
  }
}, 5000);
addEventListener('online', connect);
addEventListener('offline', () => connection === 'live' && connect());

// Signing in.

export async function signIn(token) {
  await ask('POST', 'login', { token });
  connection = 'connecting';
  await connect();
}

export async function signOut() {
  await ask('POST', 'logout', {}).catch(() => {});
  signedOut();
}
