/** A study on disk, as the command `runs` tells it. */
export interface StudyEntry {
  label: string;
  folder: string;
  runs: number;
  finished: number;
  missed: number;
  going: number;
  stopped: number;
  waiting: number;
  probe: string | null;
  value: number | null;
  games: number;
  seconds: number;
  age: number | null;
  bytes: number;
  problem: string | null;
}

/** A key of a method, as the command `form` tells it. */
export interface Field {
  key: string;
  about: string;
  holds: "whole" | "number" | "flag" | "text" | "choice" | "list" | "table";
  value: string | null;
  off: string | null;
  choices: { name: string; about: string }[];
}

export interface Form {
  name: string;
  summary: string;
  paper: string;
  out: string;
  games: number;
  fields: Field[];
  problems: FormProblem[];
  /** Settings that another kind needs, from a preset. */
  added: string[];
  /** The request that starts it. */
  learn: object;
  command: string[];
}

/** A setting that is wrong. */
export interface FormProblem {
  key: string;
  value: string;
  problem: string;
  /** Whether the method has such a key. */
  applies: boolean;
}

/** The folder as requests name it. */
export const tidy = (folder: string): string => folder.replace(/^\.\//, "");
