export type S3Location = {
  bucket: string;
  endpoint: string | undefined;
  region: string;
  pathStyle: boolean;
  /** The start of every key, without a slash at the end; "" for none. */
  prefix: string;
  checksums: boolean;
};

/** An address with its keys, which are never part of it. */
export type S3Config = S3Location & { credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } };

const parameters = ["endpoint", "region", "pathStyle", "prefix", "checksums"];

/**
 * Reads `s3://bucket?endpoint=https://…&region=…&pathStyle=true&prefix=…&checksums=true`.
 * @throws Error that names the invalid part, without secrets.
 */
export function parseS3Url(text: string): S3Location {
  const { bucket, query } = bucketAndQuery(text);
  const given = readParameters(query);
  const endpoint = given.endpoint === undefined ? undefined : checkEndpoint(given.endpoint);
  // Only Amazon has regions; elsewhere the name is just part of the signature.
  const region = given.region ?? (endpoint && "us-east-1");
  if (region === undefined) throw new Error("needs region=… or, for a store that is not Amazon's, endpoint=https://…");
  if (!/^[a-z0-9-]+$/.test(region)) throw urlError("region", region, "may have lower-case letters, digits and hyphens only");
  return {
    bucket,
    endpoint,
    region,
    pathStyle: yesOrNo("pathStyle", given.pathStyle) ?? endpoint !== undefined,
    prefix: checkPrefix(given.prefix ?? ""),
    checksums: yesOrNo("checksums", given.checksums) ?? false,
  };
}

function bucketAndQuery(text: string): { bucket: string; query: string } {
  const [, authority = "", path = "", query = "", hash = ""] = /^s3:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(text) ?? [];
  if (!text.startsWith("s3://")) throw new Error("must begin with s3://");
  if (authority.includes("@")) throw new Error("must not contain keys; put them in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(authority))
    throw new Error("must name a bucket after s3://, of 3 to 63 lower-case letters, digits, dots and hyphens");
  if (path !== "" && path !== "/") throw urlError("path", path, "isn't allowed; write it as prefix=… after the question mark");
  if (hash !== "") throw new Error("must not have a # in it; write it as %23");
  return { bucket: authority, query };
}

function readParameters(query: string): Record<string, string | undefined> {
  const given: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (!parameters.includes(name)) throw new Error(`has a part named “${name}”, which is not one of ${parameters.join(", ")}`);
    if (name in given) throw new Error(`names ${name} twice`);
    given[name] = value;
  }
  return given;
}

function checkEndpoint(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !/[@?#]/.test(text);
  if (!isPlain) throw new Error("has an endpoint that isn't a plain address such as https://s3.example.com or http://10.0.0.7:9000");
  return url.href.replace(/\/+$/, "");
}

function checkPrefix(text: string): string {
  const prefix = text.replace(/\/$/, "");
  if (prefix !== "" && !/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(prefix))
    throw urlError("prefix", text, "may have letters, digits, -, _ and . between single slashes");
  return prefix;
}

function yesOrNo(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== "true" && value !== "false") throw urlError(name, value, "must be true or false");
  return value === "true";
}

function urlError(part: string, value: string, reason: string): Error {
  return new Error(`has a ${part} that can't be used: “${value}” ${reason}`);
}
