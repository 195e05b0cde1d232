/** The program of a worker as text; the build translates and includes it. */
declare module "worker:*" {
  const text: string;
  export default text;
}

/** The steps of `docs/lecture.md`, which the build reads. */
declare module "lecture:steps" {
  const steps: readonly import("./guide/guide.js").Step[];
  export default steps;
}
