//! The certificates of a fleet.
//!
//! In: the names and addresses of a server. Out: an authority that signs once, and the server's certificate and key. Must not:
//! keep the key of the authority; who has it could pretend to be the server.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan, tz::TimeZone};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, Error,
    ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose, date_time_ymd,
};

/// How long the certificates hold.
const YEARS: i32 = 10;
/// Machines whose clocks are behind take them too.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// As PEM.
pub(super) struct Certificates {
    /// Of the authority, for every machine.
    pub(super) authority: String,
    /// Of the server.
    pub(super) server: String,
    /// The server's secret.
    pub(super) server_key: String,
}

impl Certificates {
    /// New ones for a server of these names and addresses.
    ///
    /// # Errors
    /// A name that cannot stand in a certificate.
    pub(super) fn generate(hosts: &[String]) -> Result<Certificates, Error> {
        let mut authority = valid(CertificateParams::default(), "Tanren fleet: authority");
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate()?)?;
        let mut server = valid(CertificateParams::new(hosts)?, "Tanren fleet: server");
        server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        server.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate()?;
        Ok(Certificates {
            authority: authority.pem(),
            server: server.signed_by(&key, &authority)?.pem(),
            server_key: key.serialize_pem(),
        })
    }
}

fn valid(mut params: CertificateParams, name: &str) -> CertificateParams {
    let now = Timestamp::now();
    let first = now.checked_sub(DAY).unwrap_or(now).to_zoned(TimeZone::UTC).date();
    let start_of = |day: Date| {
        let (month, day_of_month) = (day.month().unsigned_abs(), day.day().unsigned_abs());
        date_time_ymd(i32::from(day.year()), month, day_of_month)
    };
    params.not_before = start_of(first);
    params.not_after = start_of(first.saturating_add(YEARS.years()));
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}
