/** What a fit is doing, for how long, and how long it will still take. */

/** Milliseconds after which the time left is estimated, and the fraction of the steps of its stage. */
const ESTIMATED = 2000;
const LEAST = 0.05;

/** The largest power of n by which the time of a stage grows. */
const DEGREE = 3;

interface Stage {
  name: string;
  /** Milliseconds. */
  took: number;
}

/** The stages of a finished fit of n points. */
interface Course {
  n: number;
  stages: Stage[];
}

export class Progress {
  private stage = "";
  private begun = 0;
  private fraction = 0;
  private data = "";
  private n = 0;
  private stages: Stage[] = [];
  /** The last two finished fits of the data with different numbers of points, the newest last. */
  private courses: Course[] = [];

  /** A fit of n points of the data begins. */
  start(data: string, n: number, now: number): void {
    if (data !== this.data) this.courses = [];
    this.data = data;
    this.n = n;
    this.stages = [];
    this.stage = "";
    this.begin("", now);
  }

  /** A stage begins; the empty one where none is known. */
  begin(stage: string, now: number): void {
    this.close(now);
    this.stage = stage;
    this.begun = now;
    this.fraction = 0;
  }

  step(done: number, total: number): void {
    this.fraction = done / Math.max(1, total);
  }

  /** The fit is complete. */
  end(now: number): void {
    this.close(now);
    this.stage = "";
    if (this.stages.length === 0) return;
    const { n, stages } = this;
    this.courses = [...this.courses.filter((course) => course.n !== n).slice(-1), { n, stages }];
    this.stages = [];
  }

  /** For instance "optimization 40 % · 8 s · about 12 s left", with the time since the fit was requested. */
  text(now: number, elapsed: number): string {
    const done = this.fraction > 0 ? ` ${Math.floor(100 * this.fraction)} %` : "";
    const parts = [`${this.stage || "fitting"}${done}`, `${Math.floor(elapsed / 1000)} s`];
    const taken = now - this.begun;
    const known = this.fraction >= LEAST && this.fraction < 1;
    const ofStage = known ? (taken * (1 - this.fraction)) / this.fraction : undefined;
    const ofFit = this.left(taken, ofStage);
    const say = (left: number, what: string) => parts.push(`about ${Math.ceil(left / 1000)} s left${what}`);
    if (ofFit !== undefined && elapsed >= ESTIMATED) {
      if (ofFit > 0) say(ofFit, "");
    } else if (ofStage !== undefined && taken >= ESTIMATED) say(ofStage, " in this stage");
    return parts.join(" · ");
  }

  private close(now: number): void {
    if (this.stage !== "") this.stages.push({ name: this.stage, took: now - this.begun });
  }

  /**
   * Milliseconds until the end of the fit, by the stages of earlier fits of the same data: each grows by a power of n
   * that two fits show, and by n after one. Undefined where no fit had these stages.
   */
  private left(taken: number, ofStage: number | undefined): number | undefined {
    const [before, last] = this.courses.length > 1 ? this.courses : [undefined, this.courses[0]];
    const at = this.stages.length;
    const passed = [...this.stages.map((stage) => stage.name), this.stage];
    if (last === undefined || passed.some((name, i) => last.stages[i]?.name !== name)) return undefined;
    const expected = last.stages.map(({ name, took }, i) => {
      const earlier = before?.stages[i];
      const power =
        before && earlier?.name === name && earlier.took > 1 && took > 1
          ? Math.log(took / earlier.took) / Math.log(last.n / before.n)
          : 1;
      return took * (this.n / last.n) ** Math.min(DEGREE, Math.max(0, power));
    });
    const later = expected.slice(at + 1).reduce((sum, stage) => sum + stage, 0);
    return (ofStage ?? Math.max(0, (expected[at] ?? 0) - taken)) + later;
  }
}
