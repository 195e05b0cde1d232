/**
 * A value that the code around the call has made sure of: an index within its list, an element of this page's own
 * markup. Anything else is a fault of the page, reported where it happens.
 */
export function present<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error("a value is missing that must be there");
  return value;
}
