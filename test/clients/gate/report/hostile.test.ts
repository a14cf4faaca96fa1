import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { marked } from 'marked';
import { SaxesParser } from 'saxes';
import { annotations, stepOutputs } from '../../../../clients/gate/report/annotations.ts';
import {
  commandMessage,
  commandProperty,
  markdownBlock,
  markdownInline,
  runnerLog,
  safeJson,
  terminalLine,
  terminalText,
  xmlAttribute,
  xmlText,
} from '../../../../clients/gate/report/escape.ts';
import { jsonlReport, jsonReport } from '../../../../clients/gate/report/formats/json.ts';
import { junitReport } from '../../../../clients/gate/report/formats/junit.ts';
import { markdownReport } from '../../../../clients/gate/report/markdown.ts';
import { excerptsMarkdown } from '../../../../clients/gate/report/review/excerpts.ts';
import { type Paint, textReport } from '../../../../clients/gate/report/text.ts';
import { CONTROLS, hostileReport, hostileText, tokensOf } from './reports.ts';

const SGR = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 };
const paint: Paint = (style, text) => `\u001b[${SGR[style]}m${text}\u001b[0m`;

const everyText = (check: (text: string) => void) => fc.assert(fc.property(hostileText, check));
const everyReport = (check: (report: Parameters<typeof textReport>[0]) => void) =>
  fc.assert(fc.property(hostileReport, check));

test('text for a terminal holds no control character but line ends and the colours that we wrote', () => {
  everyText((text) => {
    expect(terminalLine(text)).not.toMatch(CONTROLS);
    expect(terminalText(text).replace(/[\n\t]/g, '')).not.toMatch(CONTROLS);
  });
  everyReport((report) => {
    const text = textReport(report, paint);
    expect(text.replace(/\u001b\[(31|32|33|2|1|0)m/g, '').replaceAll('\n', '')).not.toMatch(CONTROLS);
    const lines = textReport(report).split('\n');
    expect(textReport(report, paint).split('\n')).toHaveLength(lines.length);
  });
});

test('text without controls is printed as it is', () => {
  for (const text of ['naïve café', '漢字', '👩‍👩‍👧', 'a|b <c> `d` @e', 'עברית']) {
    expect(terminalLine(text)).toBe(text);
    expect(commandMessage(text)).toBe(text);
  }
});

const OWN_TAGS = /^<\/?(code|pre|details|summary|wbr)( open)?>$/;

/** What Markdown comes to: text nodes outside `code` and `pre`, and tags. */
function renderedOf(markdown: string): { tags: string[]; outside: string } {
  const html = marked.parse(markdown, { gfm: true, async: false });
  const outside = html.replace(/<pre>[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, '').replaceAll('&#39;', "'");
  return { tags: html.match(/<[^>]*>/g) ?? [], outside };
}

test('Markdown holds no link, image or HTML that we did not write', () => {
  const MADE = /^<\/?(h3|p|strong|ul|li|code|pre|details|summary|wbr)( open)?>$/;
  everyReport((report) => {
    const markdown = `${markdownReport(report)}\n\n${excerptsMarkdown(report)}`;
    for (const token of tokensOf(markdown)) {
      expect(['link', 'image', 'def', 'codespan', 'table', 'blockquote', 'code']).not.toContain(token.type);
      if (token.type !== 'html') continue;
      for (const tag of token.raw.match(/<[^>]*>/g) ?? []) expect(tag).toMatch(OWN_TAGS);
    }
    const { tags, outside } = renderedOf(markdown);
    for (const tag of tags) expect(tag).toMatch(MADE);
    // Mentions, issues and addresses are looked for outside code only.
    expect(outside).not.toMatch(/[@#]|:\/\/|www/);
  });
});

test('the structure of Markdown is the same whatever the texts are', () => {
  const shape = (text: string) =>
    tokensOf(`- ${markdownInline(text)}\n- b\n\n${markdownBlock(text)}\n\nend`)
      .filter(({ type }) => type !== 'text' && type !== 'escape')
      .map(({ type, raw }) => (type === 'html' && raw.startsWith('<pre>') ? 'pre' : type))
      .filter((type) => type !== 'html');
  const expected = shape('word');
  everyText((text) => expect(shape(text)).toEqual(expected));
});

test('words in Markdown read as they were written, and break every address', () => {
  everyText((text) => {
    const inline = markdownInline(text);
    const read = inline
      .replace(/<[^>]*>/g, '')
      .replace(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code)));
    expect(read).toBe(terminalLine(text));
    expect(inline.replace(/&#\d+;(?!<wbr>)/g, '')).not.toMatch(/&#(64|58|46|35);(?!<wbr>)/);
  });
});

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text: string;
}

function xmlElements(xml: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return elements;
}

test('JUnit reports are XML with the elements that we wrote, and with every text', () => {
  everyText((text) => {
    const [element] = xmlElements(`<a b="${xmlAttribute(text)}">${xmlText(text)}</a>`);
    const shown = terminalText(text).replace(
      /[\ufffe\uffff]/g,
      (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase()}⟩`,
    );
    expect(element).toEqual({ name: 'a', attributes: { b: shown }, text: shown });
  });
  everyReport((report) => {
    const elements = xmlElements(junitReport(report));
    const names = [
      'testsuites',
      'testsuite',
      'properties',
      'property',
      'testcase',
      'failure',
      'error',
      'skipped',
    ];
    for (const { name } of elements) expect(names).toContain(name);
    expect(elements.filter(({ name }) => name === 'testcase')).toHaveLength(report.results.length + 1);
  });
});

test('a workflow command stays one line and one command, with the escapes of the toolkit', () => {
  everyText((text) => {
    for (const made of [commandMessage(text), commandProperty(text)]) expect(made).not.toMatch(/[\r\n]/);
    expect(commandProperty(text)).not.toMatch(/[:,]/);
    const decoded = commandMessage(text).replaceAll('%0A', '\n').replaceAll('%25', '%');
    expect(decoded).toBe(terminalText(text));
  });
  everyReport((report) => {
    const lines = annotations(report).trimEnd().split('\n');
    const open = report.results.filter(({ passed }) => !passed);
    expect(lines).toHaveLength(1 + Math.min(open.length, 9));
    for (const line of lines)
      expect(line).toMatch(/^::(error|warning|notice) title=[^:,\r]*(,file=[^:,\r]*,line=7)?::[^\r]*$/);
  });
});

test('nothing that a runner would obey is left in its log', () => {
  const isCommand = (line: string) => /^[\s\u0085]*::/.test(line) || line.includes('##[');
  everyText((text) => {
    for (const line of runnerLog(text).split(/\r\n|\r|\n/)) expect(isCommand(line)).toBe(false);
  });
  everyReport((report) => {
    const printed = [jsonReport(report), jsonlReport(report), runnerLog(textReport(report))];
    for (const line of printed.join('').split(/\r\n|\r|\n/)) expect(isCommand(line)).toBe(false);
  });
});

test('outputs of a step hold one value each, whatever it is', () => {
  everyReport((report) => {
    const text = stepOutputs(report, 'delimiter-1f2e3d');
    expect(text.split('\n').filter((line) => line === 'delimiter-1f2e3d')).toHaveLength(6);
  });
  const report = fc.sample(hostileReport, 1)[0]!;
  const guessed = { ...report, run: { ...report.run, id: 'a\nguessed\nb' } };
  expect(() => stepOutputs(guessed, 'guessed')).toThrow('delimiter');
});

test('JSON is read as the same value, and holds no control character', () => {
  everyText((text) => {
    const json = safeJson({ text });
    expect(json).not.toMatch(CONTROLS);
    expect(JSON.parse(json)).toEqual({ text });
  });
  everyReport((report) => {
    expect(JSON.parse(jsonReport(report)).results).toEqual(JSON.parse(JSON.stringify(report.results)));
    const lines = jsonlReport(report).split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line).key)).toEqual(report.results.map(({ key }) => key));
  });
});
