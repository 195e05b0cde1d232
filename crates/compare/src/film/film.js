"use strict";
const film = JSON.parse(document.getElementById("maps").textContent);
const canvas = document.querySelector("canvas");
const slider = document.querySelector("input");
const button = document.querySelector("button");
const shown = document.querySelector("output");
const under = document.getElementById("under");
const last = film.sets.length - 1;
/** Seconds from one map to the next, and seconds that each map stands still. */
const [MOVE, REST] = [1.6, 0.6];
/** The size of a point, and the distance at which the pointer meets one, in CSS pixels. */
const radius = film.rows.length > 5000 ? 1.5 : film.rows.length > 800 ? 2.5 : 4;
const NEAR = 12;

/** Slow at both ends. */
const eased = (part) => part * part * (3 - 2 * part);

/** Where a row is at a time, and how much of it is shown: rows of one map alone fade. */
function place(row, time) {
  const set = Math.min(Math.floor(time), Math.max(last - 1, 0));
  const part = eased(time - set);
  const [from, to] = [film.places[set][row], film.places[set + 1]?.[row]];
  if (from && to) return [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1]), 1];
  if (from) return [from[0], from[1], 1 - part];
  return to ? [to[0], to[1], part] : null;
}

/** The place in CSS pixels. */
function pixel([x, y]) {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const size = Math.min(width, height) - 24;
  return [width / 2 + x * size, height / 2 - y * size];
}

function draw() {
  const time = Number(slider.value);
  const ratio = window.devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  for (let row = 0; row < film.rows.length; row++) {
    const found = place(row, time);
    if (!found || found[2] <= 0) continue;
    const [x, y] = pixel(found);
    context.globalAlpha = 0.85 * found[2];
    context.fillStyle = film.colors[film.classes[row] ?? film.colors.length - 1];
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
  const set = Math.min(Math.round(time), last);
  const between = Math.abs(time - set) > 0.02;
  const from = Math.floor(time);
  shown.textContent = between ? `${film.sets[from]} → ${film.sets[from + 1]}` : film.sets[set];
  slider.setAttribute("aria-valuetext", shown.textContent);
}

let begun = null;
function play(now) {
  if (begun === null) return;
  const step = MOVE + REST;
  const passed = (now - begun) / 1000;
  const set = Math.floor(passed / step);
  slider.value = Math.min(set + Math.min((passed - set * step) / MOVE, 1), last);
  draw();
  if (Number(slider.value) >= last) stop();
  else requestAnimationFrame(play);
}
function stop() {
  begun = null;
  button.textContent = "Play";
}
function start() {
  if (Number(slider.value) >= last) slider.value = 0;
  const from = Number(slider.value);
  const whole = Math.floor(from);
  begun = performance.now() - 1000 * (whole * (MOVE + REST) + (from - whole) * MOVE);
  button.textContent = "Pause";
  requestAnimationFrame(play);
}

button.addEventListener("click", () => (begun === null ? start() : stop()));
slider.addEventListener("input", () => {
  stop();
  draw();
});
canvas.addEventListener("pointermove", (event) => {
  const time = Number(slider.value);
  let [best, nearest] = [NEAR, -1];
  for (let row = 0; row < film.rows.length; row++) {
    const found = place(row, time);
    if (!found || found[2] < 0.5) continue;
    const [x, y] = pixel(found);
    const distance = Math.hypot(x - event.offsetX, y - event.offsetY);
    if (distance < best) [best, nearest] = [distance, row];
  }
  const classed = film.classes[nearest] ?? -1;
  under.textContent = nearest < 0 ? "" : film.rows[nearest] + (classed < 0 ? "" : `, ${film.names[classed]}`);
});
window.addEventListener("resize", draw);
draw();
