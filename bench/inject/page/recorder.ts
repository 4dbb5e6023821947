// A patched recorder in the real page: changes the recording before the page gets it. Sent there as text, so it must be
// self-contained.

/** Passes each recording through `globalThis.__recorded`, base64 in and out. */
export function recorderScript(): void {
  const Real = globalThis.MediaRecorder;
  const changed = (globalThis as unknown as { __recorded(base64: string): Promise<string> }).__recorded;
  globalThis.MediaRecorder = class extends Real {
    #parts: Blob[] = [];
    #told: ((event: BlobEvent) => void) | null = null;
    override set ondataavailable(told: ((event: BlobEvent) => void) | null) {
      this.#told = told;
      super.ondataavailable = (event) => this.#parts.push(event.data);
    }
    override set onstop(stopped: ((event: Event) => void) | null) {
      super.onstop = async (event) => {
        const recorded = new Uint8Array(await new Blob(this.#parts).arrayBuffer());
        const text = Array.from(recorded, (byte) => String.fromCharCode(byte)).join('');
        const bytes = Uint8Array.from(atob(await changed(btoa(text))), (character) =>
          character.charCodeAt(0),
        );
        const data = new Blob([bytes], { type: this.mimeType });
        this.#told?.(new BlobEvent('dataavailable', { data }));
        stopped?.call(this, event);
      };
    }
  };
}
