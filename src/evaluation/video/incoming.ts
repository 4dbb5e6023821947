// The bytes of a video as they arrive, kept for readers that read at their own pace: decoder and probe each read all of
// them.

/** How the bytes ended; `dropped` if nobody wanted the rest. */
export type BytesEnd = 'complete' | 'too_many_bytes' | 'dropped';

/** Iterating gives every reader all chunks from the first. The source's fault is thrown to all readers. */
export class IncomingBytes implements AsyncIterable<Uint8Array> {
  /** Settles once no more bytes arrive; rejects with the source's fault. */
  readonly ended: Promise<BytesEnd>;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #chunks: Uint8Array[] = [];
  #sizeBytes = 0;
  #over: { readonly fault?: unknown } | null = null;
  #waiting: (() => void)[] = [];
  #settle!: { resolve: (end: BytesEnd) => void; reject: (fault: unknown) => void };

  /** Begins to read at once, and stops if there are more than `maxBytes`. */
  constructor(source: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#source = source[Symbol.asyncIterator]();
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Callers that await it see the fault; until then it must not count as an unhandled rejection.
    this.ended.catch(() => {});
    void this.#read(maxBytes);
  }

  /** The first `length` bytes; fewer when there are no more. */
  async head(length: number): Promise<Uint8Array> {
    while (this.#sizeBytes < length && !this.#over) await this.#more();
    this.#throwFault();
    return Buffer.concat(this.#chunks.slice(0, length), Math.min(length, this.#sizeBytes));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let next = 0; ; ) {
      const chunk = this.#chunks[next];
      if (chunk) {
        next++;
        yield chunk;
      } else if (this.#over) {
        this.#throwFault();
        return;
      } else await this.#more();
    }
  }

  /**
   * Releases the source and ends all readers, with the fault if one is given. Does not wait for the source's pending
   * chunk.
   */
  drop(over: { readonly fault?: unknown } = {}): void {
    if (this.#over) return;
    this.#end('dropped', over);
    this.#letGo();
  }

  async #read(maxBytes: number): Promise<void> {
    try {
      while (!this.#over) {
        const { done, value } = await this.#source.next();
        if (this.#over) return;
        if (done) return this.#end('complete');
        this.#sizeBytes += value.length;
        if (this.#sizeBytes > maxBytes) {
          this.#end('too_many_bytes');
          return this.#letGo();
        }
        // An empty chunk would end the head's reader too early.
        if (value.length > 0) this.#chunks.push(value);
        this.#wake();
      }
    } catch (fault) {
      this.#end('dropped', { fault });
    }
  }

  #end(end: BytesEnd, over: { readonly fault?: unknown } = {}): void {
    if (this.#over) return;
    this.#over = over;
    if ('fault' in over) this.#settle.reject(over.fault);
    else this.#settle.resolve(end);
    this.#wake();
  }

  #letGo(): void {
    // A generator's `return` settles only once its pending chunk has arrived.
    Promise.resolve(this.#source.return?.()).catch(() => {});
  }

  #throwFault(): void {
    if (this.#over && 'fault' in this.#over) throw this.#over.fault;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
