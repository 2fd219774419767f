const form = document.getElementById('enter');
form.addEventListener('submit', async event => {
  event.preventDefault();
  const answer = await fetch('/enter', { method: 'POST', body: document.getElementById('token').value });
  if (answer.ok) {
    location.reload();
  } else {
    document.getElementById('error').textContent = (await answer.json()).error;
  }
});
