// What roles have in common.
import type { Message } from './types.ts';

/** Whether a message is of those who set the rules: OpenAI's developers are the system of its later models. */
export const isSystem = ({ role }: Pick<Message, 'role'>): boolean => role === 'system' || role === 'developer';
