import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sentDefinition } from '../../../../clients/files/resolve/sentDefinition.ts';
import type { Definition } from '../../../../shared/contracts/definitions.ts';
import { renderDefinition } from '../../../../shared/domain/definitions/render.ts';
import { anyCompleteSuite } from '../../../shared/domain/definitions/completeSuites.ts';
import { sized } from '../../../support/soak.ts';
import { makeFolder, readIn } from '../repository.ts';
import { yamlName, yamlText } from '../yamlTexts.ts';
import { pullInto } from './pulling.ts';
import '../../../support/seed.ts';

const anyJson = fc.oneof(
  yamlText,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.parse(JSON.stringify(value))),
  fc.constantFrom(null, true, false, [], {}, 0, 1e21, -5, 0.1),
  fc.dictionary(yamlName, fc.oneof(yamlText, fc.array(yamlText, { maxLength: 3 })), { maxKeys: 4 }),
);

/** A definition as the service answers it, with texts that files take for something else. */
const anyDefinition: fc.Arbitrary<Definition> = fc
  .tuple(
    anyCompleteSuite,
    fc.infiniteStream(yamlText),
    fc.infiniteStream(anyJson),
    fc.infiniteStream(yamlName),
  )
  .map(([whole, texts, values, names]) => {
    const definition = renderDefinition(whole);
    const sent = {
      ...definition,
      ...('description' in definition && { description: texts.next().value }),
      cases: definition.cases.map((one) => {
        const expected = values.next().value;
        const { expected: _, ...others } = one;
        return {
          ...others,
          input: { [names.next().value]: values.next().value, [names.next().value]: texts.next().value },
          ...(expected !== null && { expected }),
        };
      }),
    };
    // As it comes over the wire.
    return JSON.parse(JSON.stringify(sent)) as Definition;
  });

const meaning = async (folder: string) => {
  const { suites, messages } = await readIn(folder);
  return {
    messages: messages.filter((line) => line.includes(' error: ')),
    definitions: suites.map(sentDefinition),
  };
};

test('any definition that is pulled is read as itself, and pulled again changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyDefinition, async (definition) => {
      const folder = makeFolder();
      expect((await pullInto(folder, definition)).messages).toEqual([]);
      expect(await meaning(folder)).toEqual({ messages: [], definitions: [definition] });
      expect((await pullInto(folder, definition)).texts).toEqual({});
    }),
    { numRuns: sized(25, 100) },
  );
});

test('any definition in place of any other is read as itself', async () => {
  await fc.assert(
    fc.asyncProperty(anyDefinition, anyDefinition, async (before, after) => {
      const folder = makeFolder();
      await pullInto(folder, before);
      expect((await pullInto(folder, after)).messages).toEqual([]);
      expect(await meaning(folder)).toEqual({ messages: [], definitions: [after] });
    }),
    { numRuns: sized(15, 60) },
  );
});
