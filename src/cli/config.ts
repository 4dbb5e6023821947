// `likeness config`: every variable, and what is in force.
import { Command } from 'commander';
import { withDevTls } from '../composition/development/dev-tls.ts';
import { type DescribedVariable, describeConfig, describeElsewhere } from '../config/describe.ts';
import { readConfigOffline } from '../config/read-config.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';

/** The `config` command. */
export function configCommand(): Command {
  return new Command('config')
    .description(
      'every variable: its default, its unit, its meaning and the value in force; secrets are masked',
    )
    .option(...JSON_OPTION)
    .action(({ json }: { json?: boolean }) => {
      const config = withDevTls(readConfigOffline(process.env), process.env);
      const variables = describeConfig(config, process.env);
      const elsewhere = describeElsewhere(process.env);
      writeAnswer(json, { variables, read_elsewhere: elsewhere }, [
        ...variables.flatMap(linesOf),
        'Read elsewhere, and not checked at the start:',
        '',
        ...elsewhere.flatMap(({ name, value, description }) => [
          `${name} = ${value ?? '(unset)'}`,
          `    ${description}`,
          '',
        ]),
      ]);
    });
}

function linesOf({ name, value, from, unit, allowed, description, ...rest }: DescribedVariable): string[] {
  const inForce = value === null ? '(unset)' : `${value}${unit ? ` ${unit}` : ''}`;
  const origin = from === 'default' ? 'default' : `set; default: ${rest.default ?? 'unset'}`;
  return [
    `${name} = ${inForce}  (${origin})`,
    `    ${description}${allowed ? ` Allowed: ${allowed}.` : ''}`,
    '',
  ];
}
