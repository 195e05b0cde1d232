/** The states that settings have had, as addresses: undo and redo. */

export class History {
  private readonly states: string[] = [];
  private at = -1;

  /** The present state follows; states that were undone are gone. Returns whether it is another one. */
  record(state: string): boolean {
    if (this.states[this.at] === state) return false;
    this.states.splice(this.at + 1);
    this.at = this.states.push(state) - 1;
    return true;
  }

  /** The present state in another form, as after a rotation. */
  amend(state: string): void {
    if (this.at >= 0) this.states[this.at] = state;
  }

  get present(): string | undefined {
    return this.states[this.at];
  }

  /** Whether there is a state before the present one (-1), or after it (1). */
  can(by: -1 | 1): boolean {
    return this.states[this.at + by] !== undefined;
  }

  /** The state before the present one, or after it, which is now the present one. */
  step(by: -1 | 1): string | undefined {
    const state = this.states[this.at + by];
    if (state !== undefined) this.at += by;
    return state;
  }

  /** The present state is this one, by the nearest place where it was; a new one follows the present. */
  arrive(state: string): void {
    const near = [this.at, this.at - 1, this.at + 1].find((at) => this.states[at] === state);
    if (near !== undefined) this.at = near;
    else this.record(state);
  }
}
