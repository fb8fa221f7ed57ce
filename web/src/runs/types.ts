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
}

/** The folder as requests name it. */
export const tidy = (folder: string): string => folder.replace(/^\.\//, "");
