// Every try of a challenge: why its recording was sent back or how it was judged, its checks, and its curves.
import type { ConsoleCapture, ConsoleChallengeDetail } from '../../../src/contract/console.ts';
import { CueTable } from './cue-table.tsx';
import { Badge, bytesText, Scroller, Time } from './shown.tsx';

/** The last try comes first: it is the one that counts. */
export function Tries({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const judged = challenge.captures.filter(({ judgement }) => judgement !== null);
  // Judged by the sandbox, or by a version that kept only the last judgement.
  if (judged.length === 0 && challenge.liveness)
    return <CueTable name="the judgement" judgement={{ ...challenge, liveness: challenge.liveness }} />;
  return (
    <>
      {[...judged].reverse().map((capture) => (
        <Try key={capture.capture_id} challengeId={challenge.challenge_id} capture={capture} />
      ))}
    </>
  );
}

function Try({ challengeId, capture }: { challengeId: string; capture: ConsoleCapture }) {
  const { attempt, judgement, rejected_reason, submitted_at, capture_id } = capture;
  const name = `try ${attempt}`;
  const curves = `/console/api/challenges/${challengeId}/captures/${capture_id}/curves.svg`;
  if (!judgement) return null;
  return (
    <article class="try">
      <h3>
        Try {attempt} <Badge word={rejected_reason ? 'sent back' : 'judged'} />
      </h3>
      <p>
        <Time at={submitted_at} />, {bytesText(capture.size_bytes)}
        {judgement.reasons.map((reason) => (
          <>
            {' '}
            <code key={reason}>{reason}</code>
          </>
        ))}
      </p>
      {rejected_reason && (
        <p class="soft">
          No video: when a try is sent back, its video is deleted at once, because it decides nothing. Its
          checks and curves are kept.
        </p>
      )}
      <CueTable name={name} judgement={judgement} />
      <details>
        <summary>Curves of {name}</summary>
        <Scroller name={`Curves of ${name}`}>
          <a href={curves} target="_blank" rel="noopener">
            <img
              class="curves"
              src={curves}
              loading="lazy"
              alt={`How well each prompt was answered, identity and motion over time in ${name}; the checks above give the outcome`}
            />
          </a>
        </Scroller>
      </details>
    </article>
  );
}
