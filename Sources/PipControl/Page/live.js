// The live picture: WebRTC by WHEP, or else a stream of JPEG pictures.

import { $, show, text } from './dom.js';
import { state, connection } from './api.js';

let kind = 'none';        // The kind of live picture: webrtc, mjpeg, failed or none.
let reason = '';
let peer = null;
let resource = null;
let turn = 0;             // The number of the current attempt; callbacks of older attempts do nothing.
let timer = 0;
let delay = 0;            // The delay in the network and in the browser's jitter buffer, in milliseconds.
let frames = 0;
let watched = { frames: 0, when: 0 };
let before = null;

export const preview = () => ({ kind, reason, delay, isMoving: frames > 0 || kind === 'mjpeg' });

let changed = () => {};
export const onPreview = (call) => { changed = call; };

function become(next, why = '') {
  kind = next;
  reason = why;
  show($('video'), next === 'webrtc');
  show($('mjpeg'), next === 'mjpeg');
  changed();
}

function clear() {
  turn += 1;
  clearTimeout(timer);
  if (resource) fetch(resource, { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, keepalive: true }).catch(() => {});
  resource = null;
  peer?.close();
  peer = null;
  $('video').srcObject = null;
  $('mjpeg').removeAttribute('src');
  before = null;
  delay = 0;
  frames = 0;
}

export function stop() {
  clear();
  become('none');
}

/** Starts the live picture again: by WebRTC if server and browser support it, else as JPEG pictures. */
export async function start() {
  clear();
  const own = turn;
  if (!state || connection !== 'live' || document.hidden) return;
  if (state.can.preview !== 'webrtc' || !window.RTCPeerConnection) return startPictures();
  try {
    await negotiate(own);
  } catch (problem) {
    if (own !== turn) return;
    clear();
    startPictures();
    // The server has no free place, or WebRTC failed: try WebRTC again after 30 seconds.
    timer = setTimeout(start, 30000);
  }
}

async function negotiate(own) {
  const connection = new RTCPeerConnection();
  peer = connection;
  connection.addTransceiver('video', { direction: 'recvonly' });
  connection.ontrack = (event) => {
    if (own !== turn) return;
    if ('jitterBufferTarget' in event.receiver) event.receiver.jitterBufferTarget = 0;
    const video = $('video');
    video.srcObject = event.streams[0] ?? new MediaStream([event.track]);
    video.play().catch(() => {});
    countFrames(own);
  };
  connection.onconnectionstatechange = () => {
    if (own === turn && ['failed', 'closed'].includes(connection.connectionState)) again();
  };
  await connection.setLocalDescription(await connection.createOffer());
  await new Promise((resolve) => {
    if (connection.iceGatheringState === 'complete') return resolve();
    connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve();
    setTimeout(resolve, 2000);
  });
  const response = await fetch('whep', {
    method: 'POST', headers: { 'Content-Type': 'application/sdp' }, body: connection.localDescription.sdp,
    signal: AbortSignal.timeout(10000),
  });
  if (response.status !== 201) throw new Error(`WHEP ${response.status}`);
  const address = response.headers.get('Location');
  if (address) resource = new URL(address, response.url).href;
  if (own !== turn) return;
  await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  if (own !== turn) return;
  become('webrtc');
  watched = { frames: 0, when: performance.now() };
  // A connection that delivers no picture within 8 seconds has failed.
  await new Promise((resolve, reject) => {
    const deadline = setTimeout(() => (frames ? resolve() : reject(new Error('no picture'))), 8000);
    const look = setInterval(() => {
      if (!frames && own === turn) return;
      clearInterval(look);
      clearTimeout(deadline);
      resolve();
    }, 200);
  });
}

function countFrames(own) {
  const video = $('video');
  const count = () => {
    if (own !== turn) return;
    frames += 1;
    if (frames === 1) changed();
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(count);
  };
  if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(count);
  else video.addEventListener('timeupdate', count);
}

function startPictures() {
  const own = turn;
  const image = $('mjpeg');
  const { width, height } = state.canvas;
  const needed = $('stage').clientWidth * Math.min(devicePixelRatio || 1, 2);
  const wide = Math.min([480, 640, 960, 1280].find((choice) => choice >= needed) ?? 1280, width);
  const size = `${wide}x${Math.round((wide * height) / width / 2) * 2}`;
  image.onload = () => own === turn && frames === 0 && ((frames = 1), changed());
  image.onerror = () => own === turn && failPictures();
  image.src = `preview.mjpeg?size=${size}&fps=15&n=${own}`;
  become('mjpeg');
}

async function failPictures() {
  clear();
  const own = turn;
  let why = '';
  try {
    const stopper = new AbortController();
    const response = await fetch('preview.mjpeg?size=320x180&fps=1', { signal: stopper.signal });
    if (!response.ok) why = (await response.json().catch(() => ({}))).detail ?? '';
    stopper.abort();
  } catch {
    // The server is gone, which the state of the connection already tells the user.
  }
  if (own !== turn) return;
  become('failed', why);
  timer = setTimeout(start, 5000);
}

function again() {
  clear();
  become('none');
  timer = setTimeout(start, 500);
}

/** Called once a second: measures the delay of WebRTC, and starts the live picture again when frames stop. */
async function measure() {
  if (kind !== 'webrtc' || !peer) return;
  const now = performance.now();
  if (frames !== watched.frames) watched = { frames, when: now };
  else if (frames && now - watched.when > 6000 && state?.output.fps > 1 && connection === 'live') return again();
  const report = await peer.getStats().catch(() => null);
  let trip = 0;
  report?.forEach((entry) => {
    if (entry.type === 'candidate-pair' && entry.nominated && entry.currentRoundTripTime) {
      trip = entry.currentRoundTripTime / 2;
    }
    if (entry.type !== 'inbound-rtp' || entry.kind !== 'video' || !entry.jitterBufferEmittedCount) return;
    const here = { delay: entry.jitterBufferDelay, count: entry.jitterBufferEmittedCount };
    const count = here.count - (before?.count ?? 0);
    if (count > 0) delay = ((here.delay - (before?.delay ?? 0)) / count + trip) * 1000;
    before = here;
  });
}

export function setUpPreview() {
  setInterval(measure, 1000);
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : start()));
  addEventListener('pagehide', clear);
  addEventListener('pageshow', (event) => event.persisted && start());
  // A canvas of another size needs a new live picture.
  let shape = '';
  return () => {
    const now = state ? `${state.canvas.width}x${state.canvas.height} ${state.can.preview}` : '';
    if (shape && now && now !== shape) start();
    shape = now || shape;
    text($('liveText'), { webrtc: frames ? 'Live' : 'Connecting', mjpeg: 'Live · pictures', failed: 'No preview', none: 'Connecting' }[kind]);
    $('live').dataset.kind = kind;
  };
}
