/** Drawing once per frame of the screen. */

const waiting = new Set<() => void>();
let requested = false;

/** Calls `draw` in the next frame, once however often it is requested until then. */
export function schedule(draw: () => void): void {
  waiting.add(draw);
  if (requested) return;
  requested = true;
  requestAnimationFrame(() => {
    requested = false;
    const now = [...waiting];
    waiting.clear();
    for (const draw of now) draw();
  });
}
