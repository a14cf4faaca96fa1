/** A command as a shell has to know it. */
export interface Completed {
  /** Such as `byok add`; empty for the program itself. */
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly string[];
  /** What its argument can be, where that is known. */
  readonly choices: readonly string[];
  readonly takesFiles: boolean;
  readonly options: readonly CompletedOption[];
}

export interface CompletedOption {
  /** Such as `--output`. */
  readonly long: string;
  readonly summary: string;
  /** What stands behind it. */
  readonly value: 'none' | 'file' | 'text';
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Where the words so far lead: a pattern of the name so far and the next word, for each command. */
const steps = (commands: readonly Completed[]): string =>
  commands
    .filter(({ name }) => name !== '')
    .map(({ name }) => quoted(` ${name}`))
    .join('|');

const optionsWith = (commands: readonly Completed[], value: CompletedOption['value']): string =>
  [
    ...new Set(
      commands.flatMap(({ options }) => options.filter((one) => one.value === value).map(({ long }) => long)),
    ),
  ].join('|');

const wordsOf = ({ commands, choices, options }: Completed): string =>
  [...commands, ...choices, ...options.map(({ long }) => long)].join(' ');

const cases = (commands: readonly Completed[], body: (command: Completed) => string): string =>
  commands.map((command) => `    ${quoted(command.name)}) ${body(command)} ;;`).join('\n');

/** Where it offers nothing, bash completes names of files. */
export const bash = (commands: readonly Completed[]): string => `# Completion of evalgate for bash.
_evalgate() {
  local at= word i list=
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "\${at:+ $at} $word" in
      ${steps(commands)}) at="\${at:+$at }$word" ;;
    esac
  done
  case $prev in
    ${optionsWith(commands, 'file')}|${optionsWith(commands, 'text')}) return ;;
  esac
  case $at in
${cases(commands, (command) => `list=${quoted(wordsOf(command))}`)}
  esac
  COMPREPLY=($(compgen -W "$list" -- "$cur"))
}
complete -o bashdefault -o default -F _evalgate evalgate
`;

export const zsh = (commands: readonly Completed[]): string => `#compdef evalgate
# Completion of evalgate for zsh.
_evalgate() {
  local at= word i list= files=
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case "\${at:+ $at} $word" in
      (${steps(commands)}) at="\${at:+$at }$word" ;;
    esac
  done
  case $words[CURRENT-1] in
    (${optionsWith(commands, 'file')}) _files; return ;;
    (${optionsWith(commands, 'text')}) return ;;
  esac
  case $at in
${cases(commands, (command) => `list=${quoted(wordsOf(command))}${command.takesFiles ? ' files=1' : ''}`).replaceAll(/^ {4}'/gm, "    ('")}
  esac
  compadd -- \${=list}
  [[ -n $files ]] && _files
}
compdef _evalgate evalgate
`;

/** Each line offers one word where the words so far lead to its command. */
export function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap((command) => {
    const where = `complete -c evalgate -n ${quoted(`test (__evalgate_at) = "${command.name}"`)}`;
    const summaries = new Map(commands.map(({ name, summary }) => [name, summary]));
    return [
      ...(command.takesFiles ? [`${where} -F`] : []),
      ...command.commands.map((name) => {
        const summary = summaries.get(`${command.name} ${name}`.trim()) ?? '';
        return `${where} -a ${quoted(name)} -d ${quoted(summary)}`;
      }),
      ...command.choices.map((choice) => `${where} -a ${quoted(choice)}`),
      ...command.options.map(({ long, summary, value }) => {
        const behind = { none: '', text: ' -x', file: ' -r -F' }[value];
        return `${where} -l ${long.slice(2)}${behind} -d ${quoted(summary)}`;
      }),
    ];
  });
  return `# Completion of evalgate for fish.
function __evalgate_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${steps(commands).replaceAll('|', ' ')}
        set at (string trim "$at $word")
    end
  end
  echo "$at"
end
complete -c evalgate -f
${lines.join('\n')}
`;
}
