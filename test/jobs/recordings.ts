// Recordings on their way, as the page sends them, for tests of the tasks that follow and judge them.
import { expect } from 'vitest';
import { announce, commitOf, type Opened, type Rig, someVideo } from '../challenge/challenge-rig.ts';

export interface Recording {
  readonly opened: Opened;
  readonly id: string;
  readonly video: Buffer;
  send(from: number, to: number): Promise<void>;
  /** Resolves with the capture's state. */
  commit(): Promise<string>;
}

/** A recording of 3,000 bytes, of which none have arrived. */
export async function beginRecording(rig: Rig, opened: Opened): Promise<Recording> {
  const { link } = opened;
  const video = someVideo(3000);
  const capture = await announce(rig, link, video);
  const id = capture.capture_id;
  return {
    opened,
    id,
    video,
    send: async (from, to) => {
      const sent = await rig.services.acceptBytes(link, id, from, async () => video.subarray(from, to));
      expect(sent.status).toBe('ok');
    },
    commit: async () => {
      const committed = await rig.services.commit(link, id, commitOf(video, capture));
      if (committed.status !== 'ok') throw new Error(committed.status);
      return committed.received.state;
    },
  };
}

/** The capture's row. */
export const rowOf = (rig: Rig, id: string) =>
  rig.database.db.selectFrom('capture').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Afterwards no recording of an earlier test can be followed. */
export async function abandonRecordings({ database }: Rig): Promise<void> {
  await database.db
    .updateTable('capture')
    .set({ state: 'abandoned' })
    .where('state', 'in', ['issued', 'committed'])
    .execute();
}
