/** Answers to the questions of the guided path, computed from the maps that the page shows. */

import type { MeasureInfo } from "../protocol.js";
import { number } from "../ui/dom.js";

/** What the page shows, when every map is fitted and measured. */
export interface Results {
  maps: readonly ShownMap[];
  /** The number of edges between layers by the true coordinates; null where these are unknown. */
  true_shortcuts: number | null;
}

export interface ShownMap {
  title: string;
  scores: ReadonlyMap<string, number>;
  /** The number of points of the map; undefined where the method refused the data. */
  placed: number | undefined;
}

/** A question with two or three answers. Maps are numbered by their place in the step. */
export type Question = { question: string; answers: string[] } & (
  | {
      /** The number that decides: a measure, or `placed`, `refused` or `true_shortcuts`. */
      value: string;
      /** The map with this number; `best` is the map with the best value. */
      of?: number | string;
      /** Ascending ends of the intervals that the answers name; an end belongs to the interval above it. */
      bounds: number[];
    }
  /** The map with the best value of a measure; one answer for each map that is compared. */
  | { best: string; among: number[] }
  /** The map with the worst value of a measure. */
  | { worst: string; among: number[] }
);

/** Whether a larger or a smaller value of a measure is better. */
export type Direction = Pick<MeasureInfo, "name" | "better">;

export interface Answer {
  /** The index of the right answer. */
  right: number;
  /** The numbers that decide. */
  numbers: string;
}

/** The right answer; `undefined` where the page does not show what the question is about. */
export function answer(
  question: Question,
  results: Results,
  measures: readonly Direction[],
): Answer | undefined {
  if ("value" in question) return interval(question, results, measures);
  const measure = "best" in question ? question.best : question.worst;
  const values = question.among.map((map) => results.maps[map]?.scores.get(measure));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  const largest = higher(measure, measures) === "best" in question;
  const named = question.among.map((map, i) => `${results.maps[map]?.title} ${number(known[i] ?? NaN)}`);
  return {
    right: known.indexOf(Math[largest ? "max" : "min"](...known)),
    numbers: `${words(measure)}: ${named.join(", ")}`,
  };
}

function interval(
  question: Extract<Question, { value: string }>,
  results: Results,
  measures: readonly Direction[],
): Answer | undefined {
  const { value, of, bounds } = question;
  const map = typeof of === "number" ? results.maps[of] : undefined;
  const found = quantity(question, map, results, measures);
  if (found === undefined) return undefined;
  const whose = map ? `${map.title} ` : "";
  return {
    right: bounds.filter((bound) => found >= bound).length,
    numbers: `${words(value)}: ${whose}${number(found)}`,
  };
}

/** The number that decides. */
function quantity(
  { value, of }: Extract<Question, { value: string }>,
  map: ShownMap | undefined,
  { maps, true_shortcuts }: Results,
  measures: readonly Direction[],
): number | undefined {
  if (value === "refused") return maps.filter(({ placed }) => placed === undefined).length;
  if (value === "true_shortcuts") return true_shortcuts ?? undefined;
  if (value === "placed") return map?.placed;
  if (of !== "best") return map?.scores.get(value);
  const scores = maps.flatMap(({ scores }) => scores.get(value) ?? []);
  if (scores.length === 0) return undefined;
  return higher(value, measures) ? Math.max(...scores) : Math.min(...scores);
}

function higher(measure: string, measures: readonly Direction[]): boolean {
  return measures.find(({ name }) => name === measure)?.better === "higher";
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}
