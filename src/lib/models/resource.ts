// Names that a cloud gives to a model, a deployment or a profile: they belong to that cloud, whatever model they speak of.

interface Resource {
  /** The provider's name. */
  readonly provider: string;
  /** The model's id there, where the name holds one. */
  readonly id?: string;
  /** The id that goes into the request, where it is not the whole name. */
  readonly sent?: string;
  /** What the name says of the place, as the environment would say it. */
  readonly env?: { readonly [name: string]: string };
}

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonbedrock.html */
const ARN = /^arn:aws[\w-]*:bedrock:([\w-]*):(\d*):([\w-]+)\/(.+)$/;

/** Kinds of ARNs that end with the id of a model; others with one that the account was given. */
const OF_MODELS = new Set(['inference-profile', 'foundation-model']);

/** Makers as the ids of Bedrock begin with them, behind a region. */
const BEDROCK =
  /^(?:(?:us|us-gov|eu|apac|au|jp|ca|in|sa|me|af|uk|global)\.)?(?:ai21|amazon|anthropic|cohere|deepseek|google|luma|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|stability|twelvelabs|writer|xai|zai)\.[\w.:-]+$/;

/** https://cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.publishers.models */
const VERTEX = /^(?:projects\/([^/]+)\/locations\/([^/]+)\/)?publishers\/[^/]+\/models\/([^/]+)$/;

/** Vertex AI dates and numbers its models behind an `@`: `claude-sonnet-4-5@20250929`. */
const VERSIONED = /^[\w.-]+@(?:\d{3}|\d{8}|default|latest)$/;

/** Undefined for a name that no cloud would give. */
export function resourceOf(name: string): Resource | undefined {
  const [, region = '', , kind = '', id = ''] = ARN.exec(name) ?? [];
  if (id !== '') {
    const env = region === '' ? {} : { env: { AWS_REGION: region } };
    return { provider: 'amazon-bedrock', ...(OF_MODELS.has(kind) && { id }), ...env };
  }
  if (BEDROCK.test(name)) return { provider: 'amazon-bedrock', id: name };
  if (name.startsWith('accounts/')) return { provider: 'fireworks', id: name };
  const [, project, location, model] = VERTEX.exec(name) ?? [];
  if (model !== undefined) {
    const at = project && location && { GOOGLE_VERTEX_PROJECT: project, GOOGLE_VERTEX_LOCATION: location };
    return { provider: 'google-vertex', id: model, sent: model, ...(at && { env: at }) };
  }
  if (name.startsWith('projects/')) return { provider: 'google-vertex' };
  if (VERSIONED.test(name)) return { provider: 'google-vertex', id: name };
  if (/^(?:models\/gemini-|tunedModels\/)/.test(name)) return { provider: 'google', id: name.replace(/^models\//, '') };
  return undefined;
}
