// @module-tag long
import { expect } from 'vitest';
import { conformance } from '../support/conformance.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { sharedServer } from '../support/shared-server.ts';
import { suiteNames } from '../support/suite-names.ts';
import { tokenProxy } from '../support/token-proxy.ts';

const start = sharedServer({ env: NO_RATE_LIMITS });
const test = needs('ffmpeg');

/** Scenarios that call tools, prompts and resources of the suite's own example server which Telecine has nothing like. */
const SUITE_SERVER_ONLY = [
  'json-schema-2020-12',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'resources-read-binary',
  'resources-templates-read',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-image',
  'tools-call-mixed-content',
];

/** Scenarios that do not apply to Telecine, by revision, and why. All others must pass. */
const NOT_APPLICABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2026-07-28': {
    ...Object.fromEntries(
      [
        'basic-elicitation',
        'basic-list-roots',
        'basic-sampling',
        'capability-check',
        // These three would pass, but only because the tool that they call does not exist.
        'ignore-extra-params',
        'missing-input-response',
        'validate-input',
        'multi-round',
        'multiple-input-requests',
        'non-tool-request',
        'request-state',
        'result-type',
        'tampered-state',
      ].map((name) => [`input-required-result-${name}`, 'no tool of ours asks the client for input']),
    ),
    ...Object.fromEntries(
      ['mrtr-composition', 'mrtr-input'].map((name) => [`tasks-${name}`, 'no tool of ours asks the client for input']),
    ),
    'tasks-required-task-error': 'no tool of ours needs a client with tasks',
    'tasks-status-notifications': 'the suite skips it',
    'http-custom-header-server-validation': 'no argument of our tools is sent in a header',
  },
  '2025-11-25': {
    ...Object.fromEntries(
      [
        'elicitation-sep1034-defaults',
        'elicitation-sep1330-enums',
        'tools-call-elicitation',
        'tools-call-sampling',
      ].map((name) => [name, 'no tool of ours asks the client for input']),
    ),
    'logging-set-level': 'the server sends no log messages',
    'tools-call-with-logging': 'the server sends no log messages',
    'resources-subscribe': 'resources are read, not subscribed to',
    'resources-unsubscribe': 'resources are read, not subscribed to',
    'server-session-lifecycle': 'there are no sessions',
    'server-sse-multiple-streams': 'there are no sessions',
    'server-sse-polling': 'there are no sessions',
  },
};

/**
 * Checks that do not apply, in scenarios that do: they expect a tool of the suite's own server, or lists that change.
 */
const EXCUSED_CHECKS = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-server-sends-prompts-list-changed-on-subscription',
  'sep-2575-server-sends-tools-list-changed-on-subscription',
  // Expects the text of the suite's own tool.
  'tasks-headers-tolerate-mcp-method-on-tools-call',
  // No task of ours ends with a protocol error.
  'sep-2663-tasks-get-status-failed',
  // Calls a tool that asks the client for input.
  'tasks-result-type-complete-on-non-task-responses',
];

/** The scenarios that must run, by revision. Without this list, a suite that runs none would pass too. */
const APPLICABLE: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [
    'caching',
    'completion-complete',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-list',
    'resources-list',
    'resources-read-text',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'server-stateless',
    'tasks-capability-negotiation',
    'tasks-dispatch-and-envelope',
    'tasks-lifecycle',
    'tasks-request-headers',
    'tasks-request-state-removal',
    'tasks-wire-fields',
    'tools-call-error',
    'tools-call-simple-text',
    'tools-call-with-progress',
    'tools-list',
  ],
  '2025-11-25': [
    'completion-complete',
    'dns-rebinding-protection',
    'ping',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-list',
    'resources-list',
    'resources-read-text',
    'server-initialize',
    'tools-call-error',
    'tools-call-simple-text',
    'tools-call-with-progress',
    'tools-list',
  ],
};

test.for(['2026-07-28', '2025-11-25'])(
  'every scenario of the conformance suite for %s that applies runs and passes',
  { timeout: 180_000 },
  async (revision) => {
    const { server, admin } = await start();
    const proxy = await tokenProxy(server.url, admin.token, suiteNames(admin));
    const found = await conformance(`${proxy}/mcp`, revision);
    const excused = new Set([...SUITE_SERVER_ONLY, ...Object.keys(NOT_APPLICABLE[revision] ?? {})]);
    const applying = [...found].filter(([scenario]) => !excused.has(scenario));
    expect(applying.map(([scenario]) => scenario).sort()).toEqual(APPLICABLE[revision]);
    for (const [scenario, checks] of applying) {
      const ours = checks.filter(({ id }) => !EXCUSED_CHECKS.includes(id));
      expect.soft(ours.filter(({ status }) => status === 'SUCCESS').length, `${scenario}: passed`).toBeGreaterThan(0);
      expect
        .soft(
          ours.filter(({ status }) => status === 'FAILURE'),
          `${scenario}: failed`,
        )
        .toEqual([]);
    }
    // Each excused scenario must exist: a misspelled name would excuse nothing.
    expect([...excused].filter((scenario) => !found.has(scenario))).toEqual([]);
  },
);
