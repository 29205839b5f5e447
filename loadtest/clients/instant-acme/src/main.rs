//! A certificate's life with instant-acme. Ends with 1 and the reason at the first step that fails.

use anyhow::{Context, Result, bail, ensure};
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use instant_acme::{
    Account, AuthorizationStatus, CertificateIdentifier, Error, ExternalAccountKey, Identifier,
    NewAccount, NewOrder, Order, OrderStatus, RetryPolicy, RevocationReason, RevocationRequest,
};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use time::OffsetDateTime;

const NAME: &str = "instant.example.com";
const PROFILE: &str = "tls-server";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, root, kid, hmac_key] = arguments.as_slice() else {
        bail!("arguments: DIRECTORY ROOT_PEM KID HMAC_KEY");
    };

    let contact = ["mailto:ops@corp.example"];
    let new = NewAccount {
        contact: &contact,
        terms_of_service_agreed: true,
        only_return_existing: false,
    };
    let unbound = Account::builder_with_root(root)?
        .create(&new, directory.clone(), None)
        .await;
    refused(unbound, "externalAccountRequired")?;

    let binding = ExternalAccountKey::new(kid.clone(), &BASE64_URL_SAFE_NO_PAD.decode(hmac_key)?);
    let (mut account, credentials) = Account::builder_with_root(root)?
        .create(&new, directory.clone(), Some(&binding))
        .await
        .context("create an account")?;
    println!("account created");

    let stored = serde_json::to_string(&credentials)?;
    let restored = Account::builder_with_root(root)?
        .from_credentials(serde_json::from_str(&stored)?)
        .await?;
    ensure!(restored.id() == account.id());
    restored
        .update_contacts(&["mailto:tls@corp.example"])
        .await?;
    println!("contacts updated");

    // Its credentials, with the new key, are what a program would store.
    let _ = account
        .update_key()
        .await
        .context("update the account's key")?;
    let by_old_key = restored.new_order(&NewOrder::new(&[name()])).await;
    refused(by_old_key, "malformed")?;
    println!("key updated");

    ensure!(account.profiles().any(|profile| profile.name == PROFILE));
    let identifiers = [name(), Identifier::Dns(format!("*.{NAME}"))];
    let mut order = account
        .new_order(&NewOrder::new(&identifiers).profile(PROFILE))
        .await?;
    let first = issued(&mut order).await.context("the first order")?;
    println!("certificate issued");

    let id = CertificateIdentifier::try_from(&first).map_err(anyhow::Error::msg)?;
    let (info, retry_after) = account.renewal_info(&id).await?;
    ensure!(info.suggested_window.start > OffsetDateTime::now_utc());
    ensure!(info.suggested_window.end > info.suggested_window.start);
    ensure!(retry_after.as_secs() > 0);
    println!("renewal information read");

    let mut renewal = account
        .new_order(&NewOrder::new(&identifiers).replaces(id.clone()))
        .await?;
    let second = issued(&mut renewal).await.context("the renewal")?;
    ensure!(first != second);
    let replaced = account
        .new_order(&NewOrder::new(&identifiers).replaces(id))
        .await;
    refused(replaced, "alreadyReplaced")?;
    println!("certificate replaced");

    let revocation = RevocationRequest {
        certificate: &first,
        reason: Some(RevocationReason::Superseded),
    };
    account.revoke(&revocation).await.context("revoke")?;
    refused(account.revoke(&revocation).await, "alreadyRevoked")?;
    println!("certificate revoked");

    // A handle of its own: deactivate() takes the account.
    let (url, _) = renewal.into_parts();
    let second_handle = account.clone();
    account.deactivate().await?;
    refused(second_handle.order(url).await, "unauthorized")?;
    println!("account deactivated");
    Ok(())
}

fn name() -> Identifier {
    Identifier::Dns(NAME.to_owned())
}

/// Finalizes an order that needs no challenge; returns the first certificate of its chain.
async fn issued(order: &mut Order) -> Result<CertificateDer<'static>> {
    ensure!(order.state().status == OrderStatus::Ready);
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        ensure!(authorization?.status == AuthorizationStatus::Valid);
    }
    let key = order.finalize().await?;
    ensure!(key.contains("PRIVATE KEY"));
    let chain = order.poll_certificate(&RetryPolicy::default()).await?;
    let certificates =
        CertificateDer::pem_slice_iter(chain.as_bytes()).collect::<Result<Vec<_>, _>>()?;
    ensure!(
        certificates.len() == 2,
        "{} certificates",
        certificates.len()
    );
    Ok(certificates[0].clone())
}

/// Demands that the server has answered with this type of problem.
fn refused<T>(result: Result<T, Error>, kind: &str) -> Result<()> {
    match result {
        Err(Error::Api(problem)) => {
            let expected = format!("urn:ietf:params:acme:error:{kind}");
            ensure!(
                problem.r#type.as_deref() == Some(expected.as_str()),
                "{problem} instead of {kind}"
            );
            Ok(())
        }
        Err(other) => bail!("{other} instead of {kind}"),
        Ok(_) => bail!("success instead of {kind}"),
    }
}
