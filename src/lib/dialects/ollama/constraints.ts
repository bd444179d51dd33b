// What Ollama's API demands. https://docs.ollama.com/api/chat
import type { Constraints } from '../constraints.ts';

export const constraints: Constraints = {
  chatTemplates: true,
  namesInResults: true,
  refusedMedia: ['audio', 'video', 'document'],
  foreignFilesRefused: true,
  results: 'messages',
};
