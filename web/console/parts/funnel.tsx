// How far people got in the newest challenges, step by step, on one scale; and why recordings were sent back.
import type { ConsoleOverview } from '../../../src/contract/console.ts';
import { percentText } from './shown.tsx';

const STEPS = [
  ['created', 'Link created'],
  ['opened', 'Link opened'],
  ['camera', 'Camera allowed'],
  ['recorded', 'Recording arrived'],
  ['judged', 'Judged'],
  ['passed', 'Passed'],
] as const;

export function Funnel({ funnel }: { funnel: ConsoleOverview['funnel'] }) {
  const { created, sent_back, ways } = funnel;
  if (created === 0) return <p class="soft">No challenges yet.</p>;
  return (
    <table class="bars">
      <tbody>
        {STEPS.map(([step, name]) => (
          <Row key={step} name={name} count={funnel[step]} of={created} />
        ))}
        {sent_back.map(({ reason, count }) => (
          <Row key={reason} name={`Sent back: ${reason.replaceAll('_', ' ')}`} count={count} of={created} />
        ))}
        {ways.map(({ way, count }) => (
          <Row key={way} name={`Judged ${way.replaceAll('_', ' ')}`} count={count} of={created} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ name, count, of }: { name: string; count: number; of: number }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <meter min={0} max={of} value={count} aria-hidden="true" /> {count}{' '}
        <span class="soft">{percentText(count / of)}</span>
      </td>
    </tr>
  );
}
