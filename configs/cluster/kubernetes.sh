#!/bin/bash
# Plays a long run on Kubernetes, round after round: the jobs of kubernetes.yaml and kubernetes-merge.yaml, in this
# folder, until the run is finished. Stopped by Ctrl-C or otherwise, the same command goes on.     kubernetes.sh
set -eu
[ $# -eq 0 ] || { echo "kubernetes.sh: expected no arguments; kubernetes.yaml says what is played" >&2; exit 2; }
cd "$(dirname "$0")"

conditions='jsonpath={range .status.conditions[?(@.status=="True")]}{.type} {end}'

# finish JOB: waits until it is complete (status 0), or has failed or cannot be asked for 5 minutes (1)
finish() {
    local state silent=0
    while [ $silent -lt 30 ]; do
        state=$(kubectl get job "$1" --output "$conditions") && silent=0 || { silent=$((silent + 1)) state=; }
        case $state in
        *Complete*) return 0 ;;
        *Failed*) return 1 ;;
        esac
        sleep 10
    done
    return 1
}

while :; do
    kubectl delete job stigmergy-round stigmergy-merge --ignore-not-found --cascade=foreground # their pods, too
    kubectl apply --filename kubernetes.yaml
    finish stigmergy-round || { echo "kubernetes.sh: the round failed; see: kubectl logs job/stigmergy-round" >&2; exit 1; }
    kubectl apply --filename kubernetes-merge.yaml
    finish stigmergy-merge || { kubectl logs job/stigmergy-merge >&2; exit 1; }
    kubectl logs job/stigmergy-merge
    kubectl logs job/stigmergy-merge | grep -q '^The run is finished' && exit 0
done
