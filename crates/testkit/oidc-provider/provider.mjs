// A real provider of sign-ins for tests in a browser: whoever types a name there is somebody of that name, in the group of that name.
// Told the port to listen on and where browsers may be sent back to; says "ready" once it listens.
import Provider from "oidc-provider";

const [port, redirectUri] = process.argv.slice(2);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "baton",
      client_secret: "s3cret: +&/%",
      redirect_uris: [redirectUri],
      application_type: "web",
    },
  ],
  claims: { openid: ["sub"], profile: ["preferred_username", "groups"] },
  // What is asked for by scope stands in the token.
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id, groups: [id] }),
  }),
});

provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
