// The only functions that talk to the server.

/** A request that the server refused, with a message for people. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
    this.name = "Refused";
  }
}

/** Progress of a job, as of now. */
export interface Job {
  id: number;
  command: string;
  /** What it is called: a preset and a folder. */
  title: string;
  request: Record<string, unknown>;
  state: "running" | "stopping" | "done" | "stopped" | "failed";
  /** What it counts, e.g. "games". */
  unit: string;
  done: number;
  total: number;
  /** Units a second. */
  rate: number;
  part: string;
  /** Seconds since it began. */
  seconds: number;
  /** The last things a person should know. */
  notes: string[];
  runs: { seed: number; games: number; values: Record<string, number>; ended: boolean }[];
  problem: string | null;
  /** Its answer, when it is done. */
  answer: unknown;
}

const KEY = "outflank-token";

/** Takes the token out of the address that the program printed: `#token=...`. */
export function takeToken(): void {
  const found = /^#token=([\w-]+)(.*)$/.exec(location.hash);
  if (!found) return;
  localStorage.setItem(KEY, found[1] ?? "");
  history.replaceState(null, "", `${location.pathname}${found[2] || "#/runs"}`);
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${localStorage.getItem(KEY) ?? ""}` };
}

/** A sentence for what went wrong on the way. */
async function refusal(response: Response): Promise<Refused> {
  let message = "";
  try {
    message = ((await response.json()) as { error?: string }).error ?? "";
  } catch {
    // Not JSON: the status has to do.
  }
  if (response.status === 401)
    message = "This link is from an earlier start of the program. Open the link that `outflank serve` printed last.";
  return new Refused(message || `the server answered ${response.status}`, response.status);
}

async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, headers: headers() };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...headers(), "content-type": "application/json" };
  }
  if (signal) init.signal = signal;
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused("The program does not answer. Is `outflank serve` still running?", 0);
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** Runs a command and returns its answer. Aborting the signal stops the work. */
export async function call<Answer>(
  command: string,
  body: object = {},
  options: { signal?: AbortSignal } = {},
): Promise<Answer> {
  const path = `/api/${encodeURIComponent(command)}`;
  return (await (await request("POST", path, body, options.signal)).json()) as Answer;
}

/** Starts long work. */
export async function start(command: string, body: object): Promise<{ id: number }> {
  return (await (await request("POST", "/api/jobs", { command, request: body })).json()) as { id: number };
}

/** Stops a job where it can be resumed. */
export async function stop(id: number): Promise<void> {
  await request("POST", `/api/jobs/${id}/stop`, {});
}

/** Forgets a job that has ended. */
export async function forget(id: number): Promise<void> {
  await request("POST", `/api/jobs/${id}/forget`, {});
}

/** The address of a file in the folder, or in a folder of it, for frames and downloads. */
export async function ticket(path: string): Promise<string> {
  return ((await (await request("POST", "/api/ticket", { path })).json()) as { url: string }).url;
}

/** Tells all jobs now and whenever one changes, until the function that it returns is called. */
export function follow(onJobs: (jobs: Job[]) => void, onBreak: (error: unknown) => void = () => {}): () => void {
  const control = new AbortController();
  void (async () => {
    let wait = 500;
    while (!control.signal.aborted) {
      try {
        const response = await request("GET", "/api/events", undefined, control.signal);
        for await (const data of events(response)) {
          wait = 500;
          onJobs((JSON.parse(data) as { jobs: Job[] }).jobs);
        }
      } catch (error) {
        if (control.signal.aborted) return;
        onBreak(error);
        if (error instanceof Refused && error.status === 401) return;
      }
      // The server may have been restarted: try again, ever less often.
      await new Promise((done) => setTimeout(done, wait));
      wait = Math.min(2 * wait, 10_000);
    }
  })();
  return () => control.abort();
}

/** The data of server-sent events. EventSource cannot send the token. */
async function* events(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const lines = part.split("\n").filter((line) => line.startsWith("data:"));
        if (lines.length) yield lines.map((line) => line.slice(5).trimStart()).join("\n");
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
