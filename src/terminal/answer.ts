// How commands print their result: one JSON object on stdout with --json, otherwise lines for people.

/** The option of every command whose output a program may want to parse. */
export const JSON_OPTION = ['--json', 'answer with one JSON object'] as const;

/** Writes a command's result to stdout. */
export function writeAnswer(json: boolean | undefined, answer: object, lines: readonly string[]): void {
  process.stdout.write(
    json ? `${JSON.stringify(answer, null, 2)}\n` : lines.map((line) => `${line}\n`).join(''),
  );
}

/** Aligns rows in columns, two spaces apart; the first row is the header. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
