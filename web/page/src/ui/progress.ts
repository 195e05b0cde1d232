/** What a fit is doing, for how long, and how long its stage will still take. */

/** Milliseconds of a stage, and the fraction of its steps, after which the time left is estimated. */
const ESTIMATED = 2000;
const LEAST = 0.05;

export class Progress {
  private stage = "";
  private begun = 0;
  private fraction = 0;

  /** A stage begins; the empty one where none is known. */
  begin(stage: string, now: number): void {
    this.stage = stage;
    this.begun = now;
    this.fraction = 0;
  }

  step(done: number, total: number): void {
    this.fraction = done / Math.max(1, total);
  }

  /** For instance "optimization 40 % · 8 s · about 12 s left in this stage", with the time since the fit was requested. */
  text(now: number, elapsed: number): string {
    const done = this.fraction > 0 ? ` ${Math.floor(100 * this.fraction)} %` : "";
    const parts = [`${this.stage || "fitting"}${done}`, `${Math.floor(elapsed / 1000)} s`];
    const taken = now - this.begun;
    if (taken >= ESTIMATED && this.fraction >= LEAST && this.fraction < 1) {
      const left = (taken * (1 - this.fraction)) / this.fraction;
      parts.push(`about ${Math.ceil(left / 1000)} s left in this stage`);
    }
    return parts.join(" · ");
  }
}
