/** The frames of an iterative fit, with play, pause, step and a slider. */

import type { FrameEvent } from "../protocol.js";
import { button, h, number } from "./dom.js";

export interface Frame {
  iteration: number;
  objective: number | null;
  values: Float64Array;
}

const MOST = 400;
const MILLISECONDS = 40;

export class Film {
  readonly element: HTMLElement;
  frames: Frame[] = [];
  /** The dimension of the frames. */
  columns = 0;
  private readonly slider: HTMLInputElement;
  private readonly text = h("output", { title: "iteration · objective" });
  private readonly playButton: HTMLButtonElement;
  private playing: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly show: (frame: Frame) => void) {
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": "iteration",
      title: "the iteration that is shown; at the right its number and its objective",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.playButton = button("▶", "play the iterations", () => (this.playing ? this.pause() : this.play()));
    this.element = h(
      "div",
      { class: "film", hidden: true },
      this.playButton,
      button("‹", "one frame back", () => this.step(-1)),
      this.slider,
      button("›", "one frame on", () => this.step(1)),
      this.text,
    );
  }

  /** Whether an iteration before the last one is shown. */
  get replaying(): boolean {
    return this.frames.length > 0 && Number(this.slider.value) < this.frames.length - 1;
  }

  /** Begins anew. */
  clear(): void {
    this.pause();
    this.frames = [];
    this.element.hidden = true;
  }

  /** Keeps a frame; above a number of frames every second one is left out. */
  add(event: FrameEvent, values: Float64Array): void {
    this.columns = event.columns;
    this.frames.push({ iteration: event.iteration, objective: event.objective, values });
    if (this.frames.length > MOST) this.frames = this.frames.filter((_, i) => i % 2 === 0);
    this.element.hidden = this.frames.length < 3;
    this.slider.max = String(this.frames.length - 1);
    this.at(this.frames.length - 1);
  }

  /** The last frame is the result, after the given number of iterations: the state of the last iteration, or the best of several runs. */
  end(iteration: number, values: Float64Array): void {
    const last = this.frames.at(-1);
    if (last?.iteration === iteration) last.values = values;
    else this.frames.push({ iteration, objective: null, values });
    this.element.hidden = this.frames.length < 3;
    this.slider.max = String(this.frames.length - 1);
    this.at(this.frames.length - 1);
  }

  /** Rotates every frame. */
  turn(rotate: (values: Float64Array, columns: number) => Float64Array): void {
    for (const frame of this.frames) frame.values = rotate(frame.values, this.columns);
  }

  private at(index: number): void {
    const frame = this.frames[index];
    if (!frame) return;
    this.slider.value = String(index);
    const objective = frame.objective === null ? "" : ` · ${number(frame.objective)}`;
    this.text.textContent = `${frame.iteration}${objective}`;
  }

  private go(index: number): void {
    const frame = this.frames[Math.min(this.frames.length - 1, Math.max(0, index))];
    if (!frame) return;
    this.at(this.frames.indexOf(frame));
    this.show(frame);
  }

  private step(by: number): void {
    this.pause();
    this.go(Number(this.slider.value) + by);
  }

  private play(): void {
    let index = Number(this.slider.value);
    if (index >= this.frames.length - 1) index = 0;
    this.playButton.textContent = "❚❚";
    this.playing = setInterval(() => {
      this.go(index++);
      if (index >= this.frames.length) this.pause();
    }, MILLISECONDS);
  }

  private pause(): void {
    clearInterval(this.playing);
    this.playing = undefined;
    this.playButton.textContent = "▶";
  }
}
