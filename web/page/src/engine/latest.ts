/** Runs the newest of several requests, one at a time; requests in between are left out. */
export class Latest {
  private running = false;
  private next: (() => Promise<void>) | undefined;

  /** Runs `work` now, or after the work that is running unless newer work comes before. */
  run(work: () => Promise<void>): void {
    this.next = work;
    if (!this.running) void this.drain();
  }

  private async drain(): Promise<void> {
    this.running = true;
    while (this.next) {
      const work = this.next;
      this.next = undefined;
      await work();
    }
    this.running = false;
  }
}
