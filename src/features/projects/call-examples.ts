/** Values for the examples on the developers' page: endpoint, secret and token. */
export type CallExample = { address: string; secret: string; token: string };

/** The signed call with curl and OpenSSL, for bash. */
export function curlExample({ address, secret, token }: CallExample): string {
  return `SECRET='${secret}'
TOKEN='${token}'

BODY="{\\"token\\":\\"$TOKEN\\"}"
ID="msg_$(openssl rand -hex 16)"
TIME=$(date +%s)
KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf '%s.%s.%s' "$ID" "$TIME" "$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)

curl '${address}' \\
  -H 'content-type: application/json' \\
  -H "webhook-id: $ID" \\
  -H "webhook-timestamp: $TIME" \\
  -H "webhook-signature: v1,$SIGNATURE" \\
  -d "$BODY"`;
}

/** The signed call in TypeScript, with the Standard Webhooks library. */
export function typescriptExample({ address, secret, token }: CallExample): string {
  return `import { Webhook } from 'standardwebhooks';

async function confirmTask(token: string) {
  const id = \`msg_\${crypto.randomUUID()}\`;
  const time = new Date();
  const body = JSON.stringify({ token });
  const response = await fetch('${address}', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': new Webhook('${secret}').sign(id, time, body),
    },
    body,
  });
  console.log(response.status, await response.text());
}

await confirmTask('${token}');`;
}
