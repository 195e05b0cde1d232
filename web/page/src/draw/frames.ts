/** Drawing once per frame of the screen. */

const waiting = new Set<() => void>();
let requested = false;

/** Milliseconds that the drawings of a frame may take; above, pictures change without steps in between. */
const BUDGET = 20;
/** For how many milliseconds they do. */
const HURRY = 1000;
let slow = -HURRY;

/** Whether drawing has taken long a moment ago, so that a change in steps would make the page stutter. */
export function hurried(): boolean {
  return performance.now() < slow + HURRY;
}

/** Calls `draw` in the next frame, once however often it is requested until then. */
export function schedule(draw: () => void): void {
  waiting.add(draw);
  if (requested) return;
  requested = true;
  requestAnimationFrame(() => {
    requested = false;
    const now = [...waiting];
    waiting.clear();
    const begin = performance.now();
    for (const draw of now) draw();
    const end = performance.now();
    if (end - begin > BUDGET) slow = end;
  });
}
