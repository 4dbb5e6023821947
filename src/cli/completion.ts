// `likeness completion SHELL`: prints a completion script, generated from the commands and their options.
import { Argument, Command } from 'commander';

/** The `completion` command of a program. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a completion script: source <(likeness completion bash)')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh']))
    .action((shell: 'bash' | 'zsh', _options: object, command: Command) => {
      const script = completionScript(command.parent!);
      process.stdout.write(shell === 'zsh' ? `autoload -U bashcompinit && bashcompinit\n${script}` : script);
    });
}

/** One case per command with its options; zsh uses the same script through bashcompinit. */
function completionScript(program: Command): string {
  const cases = wordsByCommand(program, '').map(
    ([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`,
  );
  return `_likeness() {
  local words='' path='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _likeness likeness
`;
}

function wordsByCommand(command: Command, path: string): [path: string, words: string[]][] {
  const options = command.options.flatMap((option) => (option.long ? [option.long] : []));
  const words = [...command.commands.map((each) => each.name()), ...options, '--help'];
  return [
    [path, words],
    ...command.commands.flatMap((each) => wordsByCommand(each, `${path} ${each.name()}`.trim())),
  ];
}
