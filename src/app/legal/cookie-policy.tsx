/** What is stored in the browser; keep it in step with lib/storage.ts. */
export function CookiePolicy() {
  return (
    <>
      <p>Questboard stores as little as it can in your browser.</p>
      <h3>Cookies</h3>
      <p>Our identity provider sets the cookies that keep you signed in. They are needed and used for nothing else.</p>
      <h3>Local storage</h3>
      <p>
        We remember your role, your theme, a referral code until you sign up, your answer about statistics, and whether
        you have seen the introduction and received the welcome email.
      </p>
      <h3>Statistics</h3>
      <p>
        We count page views and clicks in our own database, with a random number that is forgotten when you close the
        tab, and with your account while you are signed in. A statistics service is loaded only if you allow it. If you
        say no, or your browser asks not to be tracked, neither happens. The foot of each page lets you change your
        answer.
      </p>
    </>
  );
}
