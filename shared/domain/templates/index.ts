import type { Template } from '../../contracts/templates.ts';
import chatbotToneEscalation from './chatbot-tone-escalation.json' with { type: 'json' };
import classificationRouting from './classification-routing.json' with { type: 'json' };
import codeReview from './code-review.json' with { type: 'json' };
import jsonSchemaExtraction from './json-schema-extraction.json' with { type: 'json' };
import llmJudgeGeneral from './llm-judge-general.json' with { type: 'json' };
import ragFaithfulness from './rag-faithfulness.json' with { type: 'json' };

const sources: readonly object[] = [
  ragFaithfulness,
  chatbotToneEscalation,
  classificationRouting,
  codeReview,
  jsonSchemaExtraction,
  llmJudgeGeneral,
];

/** In list order, each a file named by its slug. A test validates them, so that functions need not. */
export const templates = (sources as readonly Template[]).toSorted((a, b) => a.sort_order - b.sort_order);
