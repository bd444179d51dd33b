// Reasoning of turns that are over. Within a tool loop it stays: Claude, DeepSeek, GLM and others refuse or lose their thread without it.
// https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
// https://api-docs.deepseek.com/guides/thinking_mode
import type { FormatName, Part } from '../../../lib/conversation/types.ts';
import { withParts } from '../transcript.ts';
import type { Trim } from './types.ts';

/** Where reasoning of earlier turns may be missing though it is signed. Elsewhere signed reasoning belongs to the calls beside it. */
const LEAVES_SIGNED: ReadonlySet<FormatName> = new Set(['anthropic', 'bedrock']);

export const reasoning: Trim = {
  kind: 'trim',
  name: 'reasoning',
  summary: 'remove the reasoning of finished turns',
  apply(message, { past, format }) {
    if (!past || message.role !== 'assistant') return message;
    const goes = (part: Part) => part.type === 'reasoning' && (LEAVES_SIGNED.has(format) || !isOpaque(part));
    if (!message.parts.some(goes)) return message;
    const parts = message.parts.filter((part) => !goes(part));
    return parts.every(isBlank) ? undefined : withParts(message, parts);
  },
};

const isBlank = (part: Part): boolean => part.type === 'text' && part.text.trim() === '';

const isOpaque = (part: Part): boolean =>
  part.type === 'reasoning' && (part.signature !== undefined || part.redacted !== undefined || part.ext !== undefined);
