// A second thread for network runs: `run` of onnxruntime-node holds the thread that calls it, whatever it promises.
// Sessions opened here run while the calling thread goes on. Its other side is session-thread-main.js.
import { Worker } from 'node:worker_threads';
import type * as ort from 'onnxruntime-node';
import { Fault } from '../../base/errors.ts';

/** A float tensor on its way between the threads. */
export interface PlainTensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** What the second thread is asked; each request is answered once, in any order. */
export type Request =
  | {
      readonly id: number;
      readonly open: { readonly bytes: Uint8Array; readonly options: ort.InferenceSession.SessionOptions };
    }
  | { readonly id: number; readonly session: number; readonly feeds: Readonly<Record<string, PlainTensor>> };

/** Either `fault` is set, or the request was carried out. `session` answers an opening, `results` a run. */
export interface Answer {
  readonly id: number;
  readonly fault?: string;
  readonly session?: number;
  readonly results?: Readonly<Record<string, Float32Array>>;
}

/** A session that runs on the second thread. */
export interface ThreadSession {
  /** All outputs by name. The inputs' buffers are handed over: they are empty afterwards. */
  run(feeds: Readonly<Record<string, PlainTensor>>): Promise<Readonly<Record<string, Float32Array>>>;
}

/**
 * One thread. It does not keep the process alive while it is idle, and takes the process with it when it breaks: an
 * error outside a request is uncaught, so that whoever supervises the process starts a whole one.
 */
export class SessionThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (fault: Fault) => void }
  >();
  #asked = 0;

  constructor() {
    // Plain JavaScript, so that tests and benchmarks, which run the sources, can start it too.
    this.#worker = new Worker(new URL('./session-thread-main.js', import.meta.url), { execArgv: [] });
    this.#worker.on('message', (answer: Answer) => this.#settle(answer));
    this.#worker.unref();
  }

  /** Opens a network from its bytes. Rejects with Fault INVARIANT when the runtime does not open it. */
  async open(bytes: Uint8Array, options: ort.InferenceSession.SessionOptions): Promise<ThreadSession> {
    const { session } = await this.#ask({ id: ++this.#asked, open: { bytes, options } }, []);
    return {
      run: async (feeds) => {
        const buffers = Object.values(feeds).map(({ data }) => data.buffer as ArrayBuffer);
        const answer = await this.#ask({ id: ++this.#asked, session: session!, feeds }, buffers);
        return answer.results!;
      },
    };
  }

  /** Ends the thread and frees its sessions. Runs under way are given up. */
  async close(): Promise<void> {
    await this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Fault('INVARIANT', 'networks were closed'));
    this.#waiting.clear();
  }

  #ask(request: Request, transfer: ArrayBuffer[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage(request, transfer);
    });
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (answer.fault) waiting?.reject(new Fault('INVARIANT', answer.fault));
    else waiting?.resolve(answer);
  }
}
