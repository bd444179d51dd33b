// Whether a text can hold a call at all. Small and quick: most texts hold none, and the grammars are loaded for the others.

/**
 * The beginnings of all that the scanner looks at, each found by a character that is rare in prose. Looks at a few characters around every
 * such character, and so is linear.
 */
const MARK =
  /<(?=[^\s=<\d])|\{(?=\s*(?:["'“{}]|\\"|(?:name|tool|function|action|type|id|arguments|parameters)\b))|\[(?=\s*(?:\{|[^\s()[\]]{1,100}\(|TOOL_|ARGS\]|\/?THINK\]|unused|CALL_ID))|[✿◁]|&(?=lt;)|:(?<=(?:Action|Thought|thought process|[Cc]all|tool|TOOL_NAME|[Tt]ool_[Nn]ame|\*\*Tool| Args ?):)|=(?<=to=)|>(?=>>|dots|\s*tool\/)|\|(?=tool\|)|\((?<=^[ \t]*[^\s()]{1,100}\()/m;

export function mayHoldCall(text: string): boolean {
  return MARK.test(text);
}

/** The same of a text within JSON, where quotes and line breaks are escaped and brackets may be JSON's own. */
const ESCAPED_MARK =
  /<(?=[^\s=<\d])|\{(?=(?:\s|\\[nrt])*(?:\\"|['“{]|(?:name|tool|function|action|type|id|arguments|parameters)\b))|\[(?=(?:\s|\\[nrt])*(?:\{(?:\s|\\[nrt])*(?:\\"|')|[^\s()[\]"]{1,100}\(|TOOL_|ARGS\]|\/?THINK\]|unused|CALL_ID))|[✿◁]|&(?=lt;)|:(?<=(?:Action|Thought|thought process|[Cc]all|tool|TOOL_NAME|[Tt]ool_[Nn]ame|\*\*Tool| Args ?):)|=(?<=to=)|>(?=>>|dots|\s*tool\/)|\|(?=tool\|)|\((?<=(?:"|\\n)[ \t]*[^\s()"\\]{1,100}\()/;

/** Whether a line of JSON can hold a text that can hold a call. */
export function lineMayHoldCall(line: string): boolean {
  return ESCAPED_MARK.test(line);
}
