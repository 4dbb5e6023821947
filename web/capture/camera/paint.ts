// When a change of the document has reached the screen, as nearly as a page can know.

/**
 * Calls back after the frame that shows what has been changed up to now: a message posted while a frame is prepared is
 * handled once that frame is out.
 */
export function afterPaint(done: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
