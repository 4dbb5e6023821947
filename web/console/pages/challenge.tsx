// One challenge: what happened when, what was judged and why, who was notified, and the images (each view is audited).
import { useState } from 'preact/hooks';
import type {
  ConsoleAsset,
  ConsoleChallengeDetail,
  ConsoleComparison,
  ConsoleScores,
} from '../../../src/contract/console.ts';
import type { Api } from '../parts/api.ts';
import { DeliveryAttempts } from '../parts/delivery-attempts.tsx';
import { FaceMap } from '../parts/face-map.tsx';
import { ScoreScale } from '../parts/score-scale.tsx';
import { Badge, bytesText, Refusal, Time, WhenLoaded } from '../parts/shown.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Tries } from '../parts/tries.tsx';
import { REFRESH_MS, useLoaded } from '../parts/use.ts';

export function ChallengePage({ api, id }: { api: Api; id: string }) {
  const challenge = useLoaded(
    (reading) => api.get<ConsoleChallengeDetail>(`/challenges/${id}`, reading),
    id,
    REFRESH_MS,
  );
  return (
    <>
      <p>
        <a href="#/challenges">All challenges</a>
      </p>
      <h1>
        <code>{id}</code>
      </h1>
      <WhenLoaded from={challenge}>{(data) => <Detail api={api} challenge={data} />}</WhenLoaded>
    </>
  );
}

function Detail({ api, challenge }: { api: Api; challenge: ConsoleChallengeDetail }) {
  const isJudged = challenge.liveness !== null || challenge.captures.some(({ judgement }) => judgement);
  return (
    <div class="columns">
      <Facts challenge={challenge} />
      <section>
        <h2>What happened</h2>
        <Timeline challenge={challenge} />
      </section>
      {(isJudged || challenge.assets.length > 0) && (
        <section class="wide beside">
          {isJudged && (
            <div>
              <h2>Judgement</h2>
              <Tries challenge={challenge} />
            </div>
          )}
          {challenge.assets.length > 0 && (
            <div>
              <h2>Video and best frame</h2>
              {challenge.assets.map((asset) => (
                <Asset key={asset.asset_id} api={api} challengeId={challenge.challenge_id} asset={asset} />
              ))}
            </div>
          )}
        </section>
      )}
      {challenge.comparisons.length > 0 && <Comparisons api={api} comparisons={challenge.comparisons} />}
      {challenge.deliveries.length > 0 && (
        <section>
          <h2>Webhooks</h2>
          {challenge.deliveries.map((delivery) => (
            <DeliveryAttempts key={delivery.delivery_id} api={api} delivery={delivery} />
          ))}
        </section>
      )}
    </div>
  );
}

function Facts({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const { consent } = challenge;
  const consentWords = consent
    ? `given, text ${consent.text_version} (${consent.language})`
    : challenge.require_consent
      ? 'required, not given'
      : 'not required';
  return (
    <section>
      <h2>Challenge</h2>
      <dl>
        <dt>Account</dt>
        <dd>{challenge.account_name}</dd>
        <dt>Reference</dt>
        <dd>{challenge.customer_reference ?? '–'}</dd>
        <dt>Mode</dt>
        <dd>
          {challenge.liveness_only ? 'liveness only' : 'comparison'}, {challenge.liveness_level}
          {challenge.sandbox && ', sandbox: nobody was checked'}
        </dd>
        <dt>Status</dt>
        <dd>
          <Badge word={challenge.status} />
        </dd>
        <dt>Result</dt>
        <dd>
          <Badge word={challenge.overall_result} />
        </dd>
        {challenge.device_binding !== 'off' && <Device challenge={challenge} />}
        <dt>Consent</dt>
        <dd>
          {consentWords}
          {consent?.client_text && (
            <details>
              <summary>text added by the client</summary>
              <p class="own-words">{consent.client_text}</p>
            </details>
          )}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={challenge.created_at} />
        </dd>
        <dt>Expires</dt>
        <dd>
          <Time at={challenge.expires_at} />
        </dd>
      </dl>
      {challenge.reasons.length > 0 && (
        <p>
          Reasons:{' '}
          {challenge.reasons.map((reason) => (
            <code key={reason}>{reason} </code>
          ))}
        </p>
      )}
    </section>
  );
}

/** The device beside the face: what was asked of it, and what it showed. */
function Device({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const { device_binding, allow_new_device, liveness_level_when_bound, device_result: shown } = challenge;
  return (
    <>
      <dt>Device</dt>
      <dd>
        {device_binding === 'require' ? 'required' : 'offered'}
        {allow_new_device && ', a new one allowed'}
        {liveness_level_when_bound && `, ${liveness_level_when_bound} where it signs`}
        {shown && ': '}
        {shown && <Badge word={shown.status} />}
        {shown?.credential_since && (
          <div class="soft">
            passkey {shown.backed_up ? 'that may be synchronised' : 'that stays on the device'}, since{' '}
            <Time at={shown.credential_since} />
          </div>
        )}
      </dd>
    </>
  );
}

function Comparisons({ api, comparisons }: { api: Api; comparisons: readonly ConsoleComparison[] }) {
  const scores = useLoaded(
    (reading) => api.get<{ data: ConsoleScores | null }>('/scores', reading),
    'scores',
  );
  return (
    <section>
      <h2>Comparison</h2>
      {comparisons.map((comparison, at) => (
        <article key={`${comparison.featid_hint} ${at}`}>
          <h3>
            <code>{comparison.featid_hint}</code> <Badge word={comparison.result} />
          </h3>
          <ScoreScale score={comparison.score} scores={scores.data?.data ?? null} />
          <FaceMap strengths={comparison.region_strengths} told={comparison.likeness_features} />
        </article>
      ))}
    </section>
  );
}

/** Nothing is fetched before the operator asks, because every view goes into the audit log. */
function Asset({ api, challengeId, asset }: { api: Api; challengeId: string; asset: ConsoleAsset }) {
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const name = asset.kind === 'best_frame' ? 'best frame' : 'video';
  const show = () =>
    api
      .send<{ url: string }>('POST', `/challenges/${challengeId}/assets/${asset.asset_id}/link`)
      .then((link) => setUrl(new URL(link.url).pathname + new URL(link.url).search))
      .catch((refusal: Error) => setError(refusal.message));
  return (
    <div class="asset">
      {url === null && (
        <button type="button" onClick={show}>
          Show the {name}
        </button>
      )}
      {url && asset.kind === 'best_frame' && <img src={url} alt="Best frame of the capture" />}
      {url && asset.kind === 'liveness_video' && <video src={url} controls muted playsInline />}
      <p class="soft">
        {asset.mime_type}, {bytesText(asset.size_bytes)}
        {asset.deleted_after && (
          <>
            , deleted after <Time at={asset.deleted_after} />
          </>
        )}
      </p>
      <Refusal text={error} />
    </div>
  );
}
