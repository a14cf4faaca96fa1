/** Whether a name is as a pattern says, in which `*` stands for any characters. In linear time but for a name's length. */
export function isNamed(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts) {
    const index = name.indexOf(part, from);
    if (index === -1) return false;
    from = index + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

export interface Tools {
  readonly tools: readonly string[];
  readonly except: readonly string[];
}

export const isOfTool = ({ tools, except }: Tools, name: string): boolean =>
  tools.some((tool) => isNamed(tool, name)) && !except.some((tool) => isNamed(tool, name));
