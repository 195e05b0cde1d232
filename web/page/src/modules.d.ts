/** The program of a worker as text; the build translates and includes it. */
declare module "worker:*" {
  const text: string;
  export default text;
}
