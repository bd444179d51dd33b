// Every textual format of tool calls, in the order in which they are tried where they share an opener.
import { apiJson, bareJson, commandR, glm4Legacy, jsonFence, rwkv, xlam } from './bare-json.ts';
import { claude2, claudeLeak } from './claude-leak.ts';
import { deepseekV3, deepseekV31, step3Section } from './deepseek.ts';
import { escaped } from './escaped.ts';
import { foreign } from './foreign.ts';
import { functionGemma, geminiLeak, gemma4 } from './gemma.ts';
import { harmony } from './harmony.ts';
import { hermes } from './hermes.ts';
import { INVOKES } from './invoke.ts';
import { JSON_WRAPPERS } from './json-wrappers.ts';
import { kimi } from './kimi.ts';
import { kimiK3 } from './kimi-k3.ts';
import { argsLeak, boldKeys, pipes } from './leaks.ts';
import { minimaxM3 } from './minimax-m3.ts';
import { mistralArray, mistralBare, mistralV11 } from './mistral.ts';
import { muse } from './muse.ts';
import { namedTag } from './named-tag.ts';
import { glm, glmBare, hunyuan, iquest, k2Horizon, longcat, solar } from './pairs.ts';
import { continueFence, react, toolUse, uiTars, yamlCall } from './prompted.ts';
import {
  bareCall,
  bareList,
  lfm2,
  llama3,
  llama3Builtin,
  llama4,
  minicpm3,
  nexus,
  olmo3,
  toolCode,
} from './python-calls.ts';
import { functionary31, qwenCoder, seedOss } from './qwen-coder.ts';
import { cwm, functionary32, inkling, plamo, qwenAgent } from './token-json.ts';
import { cline } from './tool-tags.ts';
import type { Grammar } from './types.ts';

export const GRAMMARS: readonly Grammar[] = [
  hermes,
  qwenCoder,
  toolUse,
  glm,
  hunyuan,
  longcat,
  iquest,
  k2Horizon,
  solar,
  seedOss,
  functionary31,
  deepseekV3,
  step3Section,
  deepseekV31,
  kimi,
  kimiK3,
  mistralArray,
  mistralV11,
  mistralBare,
  llama3,
  llama3Builtin,
  llama4,
  minicpm3,
  lfm2,
  claude2,
  claudeLeak,
  olmo3,
  ...INVOKES,
  muse,
  minimaxM3,
  toolCode,
  functionGemma,
  gemma4,
  ...JSON_WRAPPERS,
  harmony,
  inkling,
  plamo,
  functionary32,
  cwm,
  qwenAgent,
  continueFence,
  commandR,
  react,
  uiTars,
  rwkv,
  nexus,
  geminiLeak,
  yamlCall,
  pipes,
  boldKeys,
  argsLeak,
  glmBare,
  escaped,
  namedTag,
  foreign,
  cline,
  bareList,
  bareCall,
  glm4Legacy,
  bareJson,
  jsonFence,
  xlam,
  ...apiJson,
];
