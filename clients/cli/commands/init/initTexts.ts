/** The first files, as `init` writes them. */

import type { InitPlace } from './place.ts';

/** Where nothing is known of the service. */
export const CONFIG_TEXT = `version: 1
# Where the service is:
# url: https://gate.example.com
# The slug of the project that the suites belong to:
# project: support-bot
suites: [evals/**/*.suite.yaml]
`;

/** Ids of the service included. All else may be read as something else without quotes, such as a slug of digits. */
const PLAIN = /^(?:[a-z]|[0-9a-f]{8}-)[\w./:-]*$/i;
const WORDS = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

/** A text as YAML has it. */
export const scalar = (text: string): string =>
  PLAIN.test(text) && !WORDS.has(text.toLowerCase()) ? text : JSON.stringify(text);

export const configText = ({ url, organisation, project }: InitPlace): string => `version: 1
url: ${scalar(url)}
organisation: ${scalar(organisation)}
project: ${scalar(project)}
suites: [evals/**/*.suite.yaml]
`;

export const suiteText = (suite: string): string => `version: 1
suite: ${scalar(suite)}
description: What each answer has to say before a release
pass_threshold: 1

scorers:
  mentions-30-days: { type: contains, config: { values: ["30 days"] } }
  promises-nothing: { type: regex, config: { pattern: "guarantee|promise", flags: i, should_match: false } }

cases:
  - key: return-window
    input: { question: How long can I return it? }
    scorer: mentions-30-days
  - key: no-promises
    input: { question: Will I get my money back? }
    scorer: promises-nothing
`;
